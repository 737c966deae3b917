import { type CallContract, defineCall } from '../define/define-contracts';
import { type Items, listOf } from '../define/common-shapes';
import { Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { ACTIVITY_RULES, type ActivityKind } from './activity-kinds';

export const CAUSE_KINDS = [
  'turn',
  'execution',
  'job',
  'emission',
  'delivery',
  'step',
  'tool_call',
  'model_call',
  'record_write',
] as const;
export type CauseKind = (typeof CAUSE_KINDS)[number];

/** Most nodes of a tree that are shown. */
export const MAX_CAUSE_NODES = 1000;

/** A step of an execution, inside the execution's node: a tree has thousands, all with the same parent. */
export class CauseStep {
  @Field(f.text({ max: 100 })) id!: string;
  @Field(f.text()) status!: string;
  @Field(f.time(), { nullable: true }) startedAt!: string | null;
  @Field(f.time(), { nullable: true }) finishedAt!: string | null;
}

/** A node of a tree, from the service that owns it. */
export class CauseNode {
  @Field(f.text({ max: 500 })) key!: string;
  @Field(f.text({ max: 500 }), { nullable: true, description: 'Null: its service knows of nothing above it.' })
  parentKey!: string | null;
  @Field(f.oneOf(CAUSE_KINDS)) kind!: CauseKind;
  @Field(f.text({ max: 500 })) id!: string;
  @Field(f.text(), { nullable: true }) name!: string | null;
  @Field(f.text(), { nullable: true }) status!: string | null;
  @Field(f.time(), { nullable: true }) startedAt!: string | null;
  @Field(f.time(), { nullable: true }) finishedAt!: string | null;
  @Field(f.id(), { nullable: true }) userId!: string | null;
  @Field(f.id(), { nullable: true, description: 'The chain that it belongs to.' }) correlationId!: string | null;
  @Field(f.id(), { nullable: true, description: 'The root of its tree, where the chain does not say it.' })
  root!: string | null;
  @Field(f.id(), { optional: true, nullable: true, description: 'Of a turn.' }) agentId?: string | null;
  @Field(f.id(), { optional: true, nullable: true, description: 'Of a turn.' }) sessionId?: string | null;
  @Field(f.id(), { optional: true, nullable: true, description: 'Only this user and ADMIN and up may see it.' })
  audience?: string | null;
  @Field(f.list(f.id()), { description: 'Turns whose model calls it made.' }) turnIds!: string[];
  @Field(f.int(), { nullable: true }) tokens!: number | null;
  @Field(f.number(), { nullable: true }) cost!: number | null;
  @Field(f.list(f.object(() => CauseStep)), { optional: true }) steps?: CauseStep[];
}

/** Selects part of a tree: records with these ids, under these roots, and of these chains. */
export class CausesQuery {
  @Field(f.list(f.id(), { max: 2000 })) roots!: string[];
  @Field(f.list(f.id(), { max: 2000 })) correlations!: string[];
}

/** Model calls of the given turns. */
export class ModelCallsQuery {
  @Field(f.list(f.id(), { max: 5000 })) turnIds!: string[];
}

export class ModelCallNodes {
  @Field(f.list(f.object(() => CauseNode))) items!: CauseNode[];
  @Field(f.int(), { description: 'Of all of them, shown or not.' }) tokens!: number;
  @Field(f.number()) cost!: number;
}

export class TurnsSum {
  @Field(f.int()) tokens!: number;
  @Field(f.number()) cost!: number;
}

export class RecordToFind {
  @Field(f.id()) id!: string;
}

/** No item if the caller can see no such record. */
const findCall = (service: string, kind: ActivityKind): CallContract<RecordToFind, Items<CauseNode>> =>
  defineCall({
    subject: `${service}.find-cause`,
    request: RecordToFind,
    reply: listOf(CauseNode),
    access: { scope: ACTIVITY_RULES[kind].scope },
    callers: ['gateway'],
  });

const partCall = (service: string): CallContract<CausesQuery, Items<CauseNode>> =>
  defineCall({
    subject: `${service}.list-causes`,
    request: CausesQuery,
    reply: listOf(CauseNode),
    access: 'internal',
    callers: ['gateway'],
  });

export const SessionCauseCalls = { find: findCall('session', 'turn'), list: partCall('session') };
export const TaskCauseCalls = { find: findCall('task', 'execution'), list: partCall('task') };
export const JobCauseCalls = { find: findCall('job', 'job'), list: partCall('job') };
export const EventBusCauseCalls = { find: findCall('event-bus', 'emission'), list: partCall('event-bus') };
export const DatasetCauseCalls = { list: partCall('dataset') };
export const RelayCauseCalls = {
  modelCalls: defineCall({
    subject: 'relay.model-calls-of-turns',
    request: ModelCallsQuery,
    reply: ModelCallNodes,
    access: 'internal',
    callers: ['gateway'],
  }),
  sumOfTurns: defineCall({
    subject: 'relay.sum-of-turns',
    request: ModelCallsQuery,
    reply: TurnsSum,
    access: 'internal',
    callers: ['task'],
  }),
};

export const CAUSE_FINDERS: Readonly<Record<ActivityKind, CallContract<RecordToFind, Items<CauseNode>>>> = {
  turn: SessionCauseCalls.find,
  execution: TaskCauseCalls.find,
  job: JobCauseCalls.find,
  emission: EventBusCauseCalls.find,
};
