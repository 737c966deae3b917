import { PageRequest } from '../define/common-shapes';
import { APPROVERS, type Approver } from '../agent/approvals';
import { Described, Field } from '../fields/field';
import { PLATFORM_WRITTEN } from '../fields/json-size';
import { f } from '../fields/field-schema';

export const INTERACTION_KINDS = ['single_choice', 'multiple_choice'] as const;
export type InteractionKind = (typeof INTERACTION_KINDS)[number];

export const INTERACTION_STATUSES = ['PENDING', 'ANSWERED', 'CANCELLED', 'EXPIRED'] as const;
export type InteractionStatus = (typeof INTERACTION_STATUSES)[number];

@Described('An option of an interaction.')
export class InteractionOption {
  @Field(f.text({ min: 1, max: 200 }), { description: 'Id of the option. Answers name it.' }) id!: string;
  @Field(f.text({ min: 1, max: 1000 }), { description: 'Text of the option.' }) label!: string;
  @Field(f.text({ max: 4000 }), { optional: true, description: 'Longer text of the option.' }) description?: string;
}

@Described('The form that a turn shows to its user.')
export class InteractionForm {
  @Field(f.oneOf(INTERACTION_KINDS), { description: 'Whether one option or several may be selected.' })
  kind!: InteractionKind;
  @Field(f.text({ min: 1, max: 10_000 }), { description: 'The question.' }) prompt!: string;
  @Field(
    f.list(
      f.object(() => InteractionOption),
      { max: 100 },
    ),
    { description: 'Options to select from.' },
  )
  options!: InteractionOption[];
  @Field(f.bool(), { optional: true, description: 'Whether a free text may be given in `otherText`.' })
  allowOther?: boolean;
  @Field(f.int({ min: 0, max: 100 }), { optional: true, description: 'Fewest options to select.' })
  minSelections?: number;
  @Field(f.int({ min: 1, max: 100 }), { optional: true, description: 'Most options to select.' })
  maxSelections?: number;
}

export const INTERACTION_PURPOSES = ['question', 'approval'] as const;
export type InteractionPurpose = (typeof INTERACTION_PURPOSES)[number];

@Described('A call that waits for an approval. It later runs with exactly these arguments.')
export class ApprovalCall {
  @Field(f.text({ max: 200 }), { description: 'Id of the tool call.' }) call_id!: string;
  @Field(f.text({ max: 200 }), { description: 'Name of the tool.' }) name!: string;
  @Field(f.oneOf(['builtin', 'mcp', 'local'] as const), { description: 'Where the tool comes from.' }) source!:
    | 'builtin'
    | 'mcp'
    | 'local';
  @Field(f.json(PLATFORM_WRITTEN), { description: 'Arguments of the call.' }) arguments!: unknown;
  @Field(f.text({ max: 64 }), { description: 'SHA-256 of the RFC 8785 form of the arguments, in hex.' })
  digest!: string;
}

@Described('The tool calls that wait for an approval.')
export class ApprovalRequest {
  @Field(f.oneOf(APPROVERS)) by!: Approver;
  @Field(
    f.list(
      f.object(() => ApprovalCall),
      { max: 100 },
    ),
  )
  calls!: ApprovalCall[];
}

@Described('A question or an approval of a turn.')
export class InteractionView {
  @Field(f.id()) id!: string;
  @Field(f.id()) turnId!: string;
  @Field(f.id()) sessionId!: string;
  @Field(f.oneOf(INTERACTION_PURPOSES), { description: 'A question of the model, or an approval of calls of tools.' })
  purpose!: InteractionPurpose;
  @Field(f.oneOf(INTERACTION_KINDS), { description: 'Whether one option or several may be selected.' })
  kind!: InteractionKind;
  @Field(f.text(), { description: 'The question.' }) prompt!: string;
  @Field(f.list(f.object(() => InteractionOption)), { description: 'Options to select from.' })
  options!: InteractionOption[];
  @Field(f.bool(), { description: 'Whether a free text may be given in `otherText`.' }) allowOther!: boolean;
  @Field(f.int(), { optional: true, description: 'Fewest options to select.' }) minSelections?: number;
  @Field(f.int(), { optional: true, description: 'Most options to select.' }) maxSelections?: number;
  @Field(f.oneOf(APPROVERS), { optional: true, description: 'Of an approval: who may answer.' }) by?: Approver;
  @Field(f.list(f.object(() => ApprovalCall)), { optional: true, description: 'Of an approval: what would run.' })
  calls?: ApprovalCall[];
  @Field(f.oneOf(INTERACTION_STATUSES), { description: 'Status of the interaction.' }) status!: InteractionStatus;
  @Field(f.list(f.text()), { optional: true, description: 'Ids of the selected options, once answered.' })
  selectedOptionIds?: string[];
  @Field(f.text(), { optional: true, nullable: true, description: 'Free text of the answer; null if there is none.' })
  otherText?: string | null;
  @Field(f.time()) createdAt!: string;
  @Field(f.time(), { nullable: true, description: 'Time of the answer; null before it.' }) answeredAt!: string | null;
  @Field(f.id(), {
    optional: true,
    nullable: true,
    description: 'Id of the user who answered or decided, once answered.',
  })
  answeredBy?: string | null;
  @Field(f.time(), { description: 'Time at which the interaction expires.' }) expiresAt!: string;
}

/** All interactions of the Space that the caller may answer, newest first. */
export class ListInteractions extends PageRequest {
  @Field(f.oneOf(INTERACTION_STATUSES), { optional: true, description: 'Only interactions with this status.' })
  status?: InteractionStatus;
  @Field(f.oneOf(INTERACTION_PURPOSES), { optional: true, description: 'Only questions, or only approvals.' })
  purpose?: InteractionPurpose;
  @Field(f.id(), { optional: true, description: 'Only interactions of this agent.' }) agentId?: string;
  @Field(f.id(), { optional: true, description: 'Only interactions of this session.' }) sessionId?: string;
}

@Described('An interaction with context for the inbox.')
export class InboxInteraction extends InteractionView {
  @Field(f.id()) agentId!: string;
  @Field(f.text(), { nullable: true, description: 'Null when the agent was deleted meanwhile.' })
  agentName!: string | null;
  @Field(f.text(), { nullable: true, description: 'Title of the session; null if it has none.' }) sessionTitle!:
    | string
    | null;
  @Field(f.id(), { description: 'Id of the user of the turn.' }) userId!: string;
  @Field(f.bool(), {
    optional: true,
    description:
      'Whether this credential may answer it now. False for an approval where a key lacks the scope approvals:answer.',
  })
  answerable?: boolean;
}

/** The shown calls that were approved. */
export function approvedIds({
  kind,
  status,
  calls = [],
  selectedOptionIds = [],
}: Pick<InteractionView, 'kind' | 'status' | 'selectedOptionIds'> & {
  calls?: readonly Pick<ApprovalCall, 'call_id'>[];
}): Set<string> {
  if (status !== 'ANSWERED') return new Set();
  if (kind === 'multiple_choice') return new Set(selectedOptionIds);
  return new Set(selectedOptionIds.includes('approve') ? calls.map(({ call_id }) => call_id) : []);
}

export class ListPendingInteractions extends PageRequest {
  @Field(f.id(), { optional: true }) agentId?: string;
  @Field(f.id(), { optional: true }) sessionId?: string;
}

export class AnswerInteraction {
  @Field(f.id()) agentId!: string;
  @Field(f.id()) turnId!: string;
  @Field(f.id()) sessionId!: string;
  @Field(f.id()) interactionId!: string;
  @Field(f.list(f.text({ max: 200 }), { max: 100 })) selectedOptionIds!: string[];
  @Field(f.text({ max: 10_000 }), { nullable: true }) otherText!: string | null;
  @Field(f.text({ min: 1, max: 200 }), { description: 'The agent replica that goes on with the turn.' }) owner!: string;
}
