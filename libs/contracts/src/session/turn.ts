import type { JsonObject } from '@switchyard/kernel';
import { ROLES, Role } from '../access';
import type { CredentialType } from '../call-context';
import { Described, Field } from '../fields/field';
import { PLATFORM_WRITTEN } from '../fields/json-size';
import { f } from '../fields/field-schema';
import { InteractionView } from './interaction';
import { MessageUsage } from './message';
import type { TurnStatus } from './turn-status';
import { TURN_STATUSES } from './turn-status';

/** Absent in turns of versions that did not store it. */
export const RETRYABLE_DESCRIPTION = 'False where the same request would be refused again.';

/** A time, not a duration: the failure is stored and returned later. */
export const RETRY_AT_DESCRIPTION = 'When the same request may pass, where a limit said so.';

@Described('Why a turn failed.')
export class TurnError {
  @Field(f.text({ max: 100 }), { description: 'Error code.' }) code!: string;
  @Field(f.text({ max: 4000 }), { description: 'Message for people.' }) message!: string;
  @Field(f.bool(), { optional: true, description: RETRYABLE_DESCRIPTION }) retryable?: boolean;
  @Field(f.time(), { optional: true, description: RETRY_AT_DESCRIPTION }) retryAt?: string;
}

@Described('A turn.')
export class TurnView {
  @Field(f.id()) id!: string;
  @Field(f.id()) agentId!: string;
  @Field(f.id(), { nullable: true, description: 'Id of the session; null if the turn has none.' }) sessionId!:
    | string
    | null;
  @Field(f.oneOf(TURN_STATUSES), { description: 'Status of the turn.' }) status!: TurnStatus;
  @Field(f.time()) startedAt!: string;
  @Field(f.time(), { nullable: true }) finishedAt!: string | null;
  @Field(f.object(() => TurnError), { nullable: true }) error!: TurnError | null;
}

/**
 * A turn for the agent service. `id` is chosen by the caller and unique for one user of a Space; `key` is globally
 * unique and names frames, leases and signals.
 */
export class TurnRecord extends TurnView {
  @Field(f.id()) key!: string;
  @Field(f.id()) userId!: string;
  @Field(f.int({ min: 1 })) epoch!: number;
  @Field(f.text(), { nullable: true, description: 'Who holds it, or was the last to.' }) owner!: string | null;
  @Field(f.bool()) cancelRequested!: boolean;
  @Field(f.text(), { nullable: true }) finishReason!: string | null;
  @Field(f.object(() => MessageUsage), { nullable: true }) usage!: MessageUsage | null;
  @Field(f.json(PLATFORM_WRITTEN), {
    description: 'What `closeTurn` or `pauseTurn` left for a call that asks again; null before.',
  })
  result!: unknown;
  @Field(f.object(() => InteractionView), { nullable: true, description: 'The pending one.' })
  interaction!: InteractionView | null;
  @Field(f.list(f.text()), { optional: true, description: 'Calls of the host that wait for results, where asked for.' })
  openCalls?: string[];
  @Field(f.bool(), { optional: true, description: 'Only the stream that it was begun for may read it.' })
  isUnstored?: boolean;
}

/** Originator of a turn, stored so that another replica can resume it. */
export class TurnLineage {
  @Field(f.id()) root!: string;
  @Field(f.text({ max: 500 })) parent!: string;
}

export class TurnIdentity {
  @Field(f.id()) spaceId!: string;
  @Field(f.id()) userId!: string;
  @Field(f.oneOf(ROLES), { nullable: true }) role!: Role | null;
  @Field(f.list(f.text())) scopes!: string[];
  @Field(f.text(), { nullable: true }) credentialId!: string | null;
  @Field(f.oneOf(['jwt', 'api_key', 'system_key', 'nats_account', 'service'] as const)) credentialType!: CredentialType;
  @Field(f.id(), { nullable: true }) applicationId!: string | null;
  @Field(f.text(), { nullable: true }) causationId!: string | null;
  @Field(f.text(), { nullable: true }) correlationId!: string | null;
  @Field(f.int({ min: 0 })) depth!: number;
  @Field(f.text(), { optional: true, description: 'A worker that takes the turn over continues its trace.' })
  traceparent?: string;
  @Field(f.object(() => TurnLineage), { optional: true, description: 'Where the turn hangs in the tree of its cause.' })
  lineage?: TurnLineage;
}

export class GetTurn {
  @Field(f.id()) turnId!: string;
  @Field(f.id(), { optional: true, description: 'The turn must belong to this agent.' }) agentId?: string;
  @Field(f.id(), { optional: true, description: 'The turn of this session is meant: users may name theirs equally.' })
  sessionId?: string;
  @Field(f.id(), {
    optional: true,
    description: 'The record has this interaction, in any state, instead of the pending one.',
  })
  interactionId?: string;
  @Field(f.bool(), { optional: true, description: 'Adds the calls of the host that wait for their results.' })
  withOpenCalls?: boolean;
}

/** The newest turns of one session. */
export class ListTurns {
  @Field(f.id()) sessionId!: string;
  @Field(f.int({ min: 1, max: 100 })) limit!: number;
}

/** A turn of a session, with the number of times it changed its lease holder, pauses included. */
export class TurnOfSession extends TurnView {
  @Field(f.int({ min: 1 })) epoch!: number;
}

export class RequestCancel {
  @Field(f.id()) turnId!: string;
  @Field(f.id(), { optional: true }) agentId?: string;
  @Field(f.id(), { optional: true }) sessionId?: string;
}

export class CancelledTurn {
  @Field(f.bool(), { description: 'False when the turn had already ended.' }) cancelling!: boolean;
  @Field(f.object(() => TurnRecord)) turn!: TurnRecord;
}

export type TurnState = JsonObject;
