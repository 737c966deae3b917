import type { JsonObject } from '@switchyard/kernel';
import { Field } from '../fields/field';
import { PLATFORM_WRITTEN } from '../fields/json-size';
import { f } from '../fields/field-schema';
import { ContextStatus, ModelContext } from './model-context';
import { ApprovalRequest, InteractionForm, InteractionView } from './interaction';
import { NewMessage, MessageUsage } from './message';
import { TurnError, TurnIdentity, TurnRecord } from './turn';
import type { FinalTurnStatus } from './turn-status';
import { FINAL_TURN_STATUSES } from './turn-status';

/** A turn that the caller has leased. A stale epoch is a CONFLICT: another process has the lease. */
export class LeasedTurn {
  @Field(f.id()) key!: string;
  @Field(f.int({ min: 1 })) epoch!: number;
}

/** Stores the state to resume from; also renews the lease. */
export class SaveCheckpoint extends LeasedTurn {
  @Field(f.record(PLATFORM_WRITTEN)) state!: JsonObject;
}

export class CheckpointSaved {
  @Field(f.bool()) cancelRequested!: boolean;
}

/** Releases the turn until its user has answered. Retry-safe with the same interaction id. */
export class PauseTurn extends LeasedTurn {
  @Field(f.record(PLATFORM_WRITTEN)) state!: JsonObject;
  @Field(f.id()) interactionId!: string;
  @Field(f.object(() => InteractionForm)) form!: InteractionForm;
  @Field(f.object(() => ApprovalRequest), { optional: true, description: 'Makes it an approval of these calls.' })
  approval?: ApprovalRequest;
  @Field(f.json(PLATFORM_WRITTEN), { optional: true, description: 'The answer of a call that does not stream.' })
  result?: unknown;
}

export class CloseTurn extends LeasedTurn {
  @Field(f.oneOf(FINAL_TURN_STATUSES)) status!: FinalTurnStatus;
  @Field(
    f.list(
      f.object(() => NewMessage),
      { max: 1000 },
    ),
  )
  messages!: NewMessage[];
  @Field(f.text({ max: 50 }), { nullable: true }) finishReason!: string | null;
  @Field(f.object(() => MessageUsage), { nullable: true }) usage!: MessageUsage | null;
  @Field(f.object(() => TurnError), { nullable: true }) error!: TurnError | null;
  @Field(f.json(PLATFORM_WRITTEN), {
    optional: true,
    description: 'Given back as `turn.result` to a call that asks again.',
  })
  result?: unknown;
}

/** Idempotent: a repeated close gets the first reply. */
export class ClosedTurn {
  @Field(f.object(() => ContextStatus), { nullable: true }) context!: ContextStatus | null;
}

export class HeartbeatTurns {
  @Field(f.text({ min: 1, max: 200 })) owner!: string;
  @Field(
    f.list(
      f.object(() => LeasedTurn),
      { max: 10_000 },
    ),
  )
  turns!: LeasedTurn[];
  @Field(f.bool(), {
    optional: true,
    description: 'The process stops in order: its turns are handed over, and are no losses if that comes to nothing.',
  })
  isStopping?: boolean;
  @Field(f.bool(), {
    optional: true,
    description: 'Requests run beside these turns, which were lost before: if the process ends, those may be to blame.',
  })
  hasRequests?: boolean;
  @Field(f.bool(), {
    optional: true,
    description:
      'These turns, which were lost before, wait for their host, or do so no longer. Meanwhile the next lost turn may be tried.',
  })
  areWaiting?: boolean;
}

export class HeartbeatResult {
  @Field(f.list(f.id()), { description: 'No longer held by the caller: stop them and write nothing more.' })
  lost!: string[];
  @Field(f.list(f.id())) cancelRequested!: string[];
}

export class ClaimTurns {
  @Field(f.text({ min: 1, max: 200 })) owner!: string;
  @Field(f.int({ min: 1, max: 100 })) limit!: number;
  @Field(f.list(f.text({ min: 1, max: 200 }), { max: 100 }), {
    optional: true,
    description: 'Holders whose process is known to be gone: their leases count no more.',
  })
  gone?: string[];
  @Field(f.bool(), {
    optional: true,
    description: 'The last claim of the caller was a turn that was lost: other turns come first, if any wait.',
  })
  othersFirst?: boolean;
}

export const CLAIM_REASONS = ['lost', 'released', 'cancelled', 'expired', 'answered'] as const;
export type ClaimReason = (typeof CLAIM_REASONS)[number];

/** A turn to resume, with everything needed for it. */
export class ClaimedTurn {
  @Field(f.object(() => TurnRecord)) turn!: TurnRecord;
  @Field(f.object(() => TurnIdentity)) identity!: TurnIdentity;
  @Field(f.record(PLATFORM_WRITTEN)) input!: JsonObject;
  @Field(f.record(PLATFORM_WRITTEN), {
    nullable: true,
    description: 'The last checkpoint; null when it never got that far.',
  })
  state!: JsonObject | null;
  @Field(f.object(() => ModelContext), { nullable: true }) context!: ModelContext | null;
  @Field(f.oneOf(CLAIM_REASONS), {
    description: 'lost: its holder died. released: its holder stopped. cancelled, expired: while it waited; end it.',
  })
  reason!: ClaimReason;
  @Field(f.bool(), {
    optional: true,
    description: 'Its process ended once, and perhaps because of it: it runs alone at first.',
  })
  isSuspect?: boolean;
  @Field(f.bool(), { description: 'Lost too often: close it as FAILED instead of running it.' }) exhausted!: boolean;
  @Field(f.int({ min: 1 })) leaseSeconds!: number;
}

export class ClaimedTurns {
  @Field(f.list(f.object(() => ClaimedTurn))) items!: ClaimedTurn[];
  @Field(f.list(f.text()), { description: 'Who else holds turns now.' }) holders!: string[];
}

export class ReleaseTurns {
  @Field(
    f.list(
      f.object(() => LeasedTurn),
      { max: 10_000 },
    ),
  )
  turns!: LeasedTurn[];
}

/** Releases a claimed turn that cannot be resumed yet; it becomes claimable after a delay. */
export class DeferTurn extends LeasedTurn {
  @Field(f.oneOf(CLAIM_REASONS), { description: 'Why it was claimed: the next holder is told the same.' })
  reason!: ClaimReason;
}

/** `resumed` goes to exactly one caller; `claim` is for that one. */
export class AnsweredInteraction {
  @Field(f.oneOf(['resumed', 'repeated'] as const)) outcome!: 'resumed' | 'repeated';
  @Field(f.object(() => InteractionView)) interaction!: InteractionView;
  @Field(f.object(() => TurnRecord)) turn!: TurnRecord;
  @Field(f.object(() => ClaimedTurn), { nullable: true }) claim!: ClaimedTurn | null;
}
