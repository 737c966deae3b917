import { type CallContract, defineCall } from '../define/define-contracts';
import { type Items, listOf, PageRequest } from '../define/common-shapes';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import type { ServiceName } from '../services';

@Described('Work that was given up because its process died twice. Its content is not shown.')
export class PoisonedWorkView {
  @Field(f.text({ max: 40 }), {
    description: 'Kind of work: `turn`, `execution`, `job`, `emission`, `schedule`, `message`, `import`, `callback`.',
  })
  kind!: string;
  @Field(f.id(), { description: 'Of the turn, the execution and so on; of a schedule its task.' }) id!: string;
  @Field(f.id(), { nullable: true, description: 'Id of the Space; null if the work belongs to none.' }) spaceId!:
    | string
    | null;
  @Field(f.int(), { description: 'How often its process ended while it ran.' }) losses!: number;
  @Field(f.time(), { description: 'When it was given up.' }) at!: string;
}

@Described('An event whose handling failed for good. Its content is not shown.')
export class DeadLetterView {
  @Field(f.id()) id!: string;
  @Field(f.id(), { nullable: true, description: 'Id of the Space; null if the event belongs to none.' }) spaceId!:
    | string
    | null;
  @Field(f.text(), { description: 'The service that could not handle it.' }) service!: string;
  @Field(f.text(), { description: 'Name of the event.' }) event!: string;
  @Field(f.int(), { description: 'Size of the event in bytes.' }) bytes!: number;
  @Field(f.int(), { description: 'Number of attempts.' }) attempts!: number;
  @Field(f.text(), { description: 'A code, where there is one: what the error says may hold what the event says.' })
  reason!: string;
  @Field(f.time(), { description: 'Time of the first failure.' }) firstAt!: string;
  @Field(f.time(), { description: 'Time of the last failure.' }) lastAt!: string;
  @Field(f.time(), { nullable: true, description: 'Since when it waits for another try.' }) requeuedAt!: string | null;
}

export class ListPoisoned extends PageRequest {
  @Field(f.text({ min: 1, max: 40 }), { optional: true, description: 'Only this kind.' }) kind?: string;
}

export class ListDeadLetters extends PageRequest {}

/** A page of one service's entries, newest first, after a given row. */
export class LostWorkSlice {
  @Field(f.int({ min: 1, max: 101 })) limit!: number;
  @Field(f.text({ min: 1, max: 40 }), { optional: true }) kind?: string;
  @Field(f.time(), { optional: true }) beforeAt?: string;
  @Field(f.id(), { optional: true }) beforeId?: string;
}

export class WorkById {
  @Field(f.id()) id!: string;
}

@Described('Discards a dead letter.')
export class DiscardDeadLetterBody {
  @Field(f.text({ min: 1, max: 500, pattern: '\\S', allows: 'must not be blank' }), {
    description: 'Why it is never handled; it stands in the log.',
  })
  reason!: string;
}

export class DiscardDeadLetter extends DiscardDeadLetterBody {
  @Field(f.id()) id!: string;
}

export interface LostWorkCalls {
  listPoisoned: CallContract<LostWorkSlice, Items<PoisonedWorkView>>;
  retryPoisoned: CallContract<WorkById, Items<PoisonedWorkView>>;
  listDeadLetters: CallContract<LostWorkSlice, Items<DeadLetterView>>;
  requeueDeadLetter: CallContract<WorkById, Items<DeadLetterView>>;
  discardDeadLetter: CallContract<DiscardDeadLetter, Items<DeadLetterView>>;
}

const READS = { operator: 'operator:read' } as const;
const WRITES = { operator: 'operator:write' } as const;
const TIMEOUT_MS = 5_000;

/** Calls of every service with a database, for operators. */
const callsOf = (service: ServiceName): LostWorkCalls => ({
  listPoisoned: defineCall({
    subject: `${service}.list-poisoned`,
    request: LostWorkSlice,
    reply: listOf(PoisonedWorkView),
    access: READS,
    callers: ['gateway'],
    timeoutMs: TIMEOUT_MS,
  }),
  retryPoisoned: defineCall({
    subject: `${service}.retry-poisoned`,
    request: WorkById,
    reply: listOf(PoisonedWorkView),
    access: WRITES,
    callers: ['gateway'],
    errors: ['CONFLICT'],
    timeoutMs: TIMEOUT_MS,
  }),
  listDeadLetters: defineCall({
    subject: `${service}.list-dead-letters`,
    request: LostWorkSlice,
    reply: listOf(DeadLetterView),
    access: READS,
    callers: ['gateway'],
    timeoutMs: TIMEOUT_MS,
  }),
  requeueDeadLetter: defineCall({
    subject: `${service}.requeue-dead-letter`,
    request: WorkById,
    reply: listOf(DeadLetterView),
    access: WRITES,
    callers: ['gateway'],
    timeoutMs: TIMEOUT_MS,
  }),
  discardDeadLetter: defineCall({
    subject: `${service}.discard-dead-letter`,
    request: DiscardDeadLetter,
    reply: listOf(DeadLetterView),
    access: WRITES,
    callers: ['gateway'],
    timeoutMs: TIMEOUT_MS,
  }),
});

export const AgentLostWorkCalls = callsOf('agent');
export const DatasetLostWorkCalls = callsOf('dataset');
export const EventBusLostWorkCalls = callsOf('event-bus');
export const JobLostWorkCalls = callsOf('job');
export const KeyLostWorkCalls = callsOf('key');
export const RelayLostWorkCalls = callsOf('relay');
export const SessionLostWorkCalls = callsOf('session');
export const TaskLostWorkCalls = callsOf('task');

export const LOST_WORK_OWNERS: Readonly<Partial<Record<ServiceName, LostWorkCalls>>> = {
  agent: AgentLostWorkCalls,
  dataset: DatasetLostWorkCalls,
  'event-bus': EventBusLostWorkCalls,
  job: JobLostWorkCalls,
  key: KeyLostWorkCalls,
  relay: RelayLostWorkCalls,
  session: SessionLostWorkCalls,
  task: TaskLostWorkCalls,
};
