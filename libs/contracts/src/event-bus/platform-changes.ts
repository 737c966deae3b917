import { type CallContract, type EventContract, defineCall, defineEvent } from '../define/define-contracts';
import { Nothing } from '../define/common-shapes';
import { Field } from '../fields/field';
import { f } from '../fields/field-schema';
import type { ServiceName } from '../services';

const OPTIONAL = { optional: true, nullable: true } as const;

/** Something that happened in a service, of which a subscription may want to know. Without texts of users. */
export class PlatformChange {
  @Field(f.text({ min: 1, max: 128 }), { description: 'Name of the event.' }) event!: string;
  @Field(f.text({ min: 1, max: 200 }), { description: 'Id of the record.' }) id!: string;
  @Field(f.time()) at!: string;
  @Field(f.text({ max: 1000 }), OPTIONAL) name?: string | null;
  @Field(f.text({ max: 100 }), OPTIONAL) status?: string | null;
  @Field(f.text({ max: 100 }), OPTIONAL) previousStatus?: string | null;
  @Field(f.id(), OPTIONAL) agentId?: string | null;
  @Field(f.id(), OPTIONAL) taskId?: string | null;
  @Field(f.id(), OPTIONAL) datasetId?: string | null;
  @Field(f.text({ max: 200 }), OPTIONAL) sessionId?: string | null;
  @Field(f.text({ max: 200 }), OPTIONAL) turnId?: string | null;
  @Field(f.id(), OPTIONAL) userId?: string | null;
  @Field(f.text({ max: 200 }), { ...OPTIONAL, description: 'Code of its error.' }) errorCode?: string | null;
  @Field(f.text({ max: 20 }), OPTIONAL) actorType?: string | null;
  @Field(f.text({ max: 200 }), OPTIONAL) actorId?: string | null;
  @Field(f.text({ max: 200 }), OPTIONAL) interactionId?: string | null;
  @Field(f.text({ max: 100 }), OPTIONAL) purpose?: string | null;
  @Field(f.text({ max: 20 }), OPTIONAL) action?: string | null;
  @Field(f.text({ max: 200 }), { ...OPTIONAL, description: 'Of `limit.reached`.' }) limit?: string | null;
  @Field(f.number(), { ...OPTIONAL, description: 'Of `limit.reached`.' }) value?: number | null;
  @Field(f.time(), { ...OPTIONAL, description: 'Of `limit.reached`.' }) until?: string | null;
  @Field(f.text({ max: 20 }), { ...OPTIONAL, description: 'Of `balance.low`.' }) reason?: string | null;
  @Field(f.number(), { ...OPTIONAL, description: 'Of `balance.low`.' }) balance?: number | null;
}

/** In a Space, a service tells of an event from now on, or no more. */
export class WatchPlatformEvent {
  @Field(f.id()) spaceId!: string;
  @Field(f.text({ min: 1, max: 128 })) event!: string;
  @Field(f.bool()) watched!: boolean;
}

export interface PlatformEventSource {
  /** Has an effect on all that is committed after its reply. */
  watch: CallContract<WatchPlatformEvent, Nothing>;
  /** Written to the outbox by a trigger of the database, in the transaction of the change. */
  happened: EventContract<PlatformChange>;
}

const sourceOf = (service: ServiceName): PlatformEventSource => ({
  watch: defineCall({
    subject: `${service}.watch-platform-event`,
    request: WatchPlatformEvent,
    reply: Nothing,
    access: 'internal',
    callers: ['event-bus'],
  }),
  happened: defineEvent({
    name: `${service}.platform-change`,
    source: service,
    data: PlatformChange,
    consumers: ['event-bus'],
  }),
});

export const TaskPlatformEvents = sourceOf('task');
export const JobPlatformEvents = sourceOf('job');
export const SessionPlatformEvents = sourceOf('session');
export const DatasetPlatformEvents = sourceOf('dataset');
export const AgentPlatformEvents = sourceOf('agent');
export const KeyPlatformEvents = sourceOf('key');
export const RelayPlatformEvents = sourceOf('relay');
export const EventBusPlatformEvents = sourceOf('event-bus');

/** The services that raise events of the platform. */
export const PLATFORM_EVENT_SOURCES: Partial<Record<ServiceName, PlatformEventSource>> = {
  task: TaskPlatformEvents,
  job: JobPlatformEvents,
  session: SessionPlatformEvents,
  dataset: DatasetPlatformEvents,
  agent: AgentPlatformEvents,
  key: KeyPlatformEvents,
  relay: RelayPlatformEvents,
  'event-bus': EventBusPlatformEvents,
};
