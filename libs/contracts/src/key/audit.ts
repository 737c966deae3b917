import type { JsonObject } from '@switchyard/kernel';
import { PageRequest } from '../define/shapes';
import { Field } from '../fields/field';
import { f } from '../fields/spec';
import { SIZES } from '../sizes';

export const ACTOR_TYPES = ['user', 'key', 'account', 'operator', 'machine'] as const;
export type ActorType = (typeof ACTOR_TYPES)[number];

/** The actor: a person, an API key, a NATS account, an operator, or the platform. */
export class EventActor {
  @Field(f.oneOf(ACTOR_TYPES)) type!: ActorType;
  @Field(f.text(), { optional: true }) id?: string;
}

/** An entry of a Space's audit log. Never contains a secret. */
class SecurityFacts {
  @Field(
    f.text({
      min: 1,
      max: 100,
      pattern: '^[a-z][a-z0-9.-]*$',
      allows: 'must be the name of an action, such as agent.access-changed',
    }),
    { example: 'agent.access-changed' },
  )
  action!: string;
  @Field(f.text({ min: 1, max: 200 }), { nullable: true, description: 'What it was done to.' }) target!: string | null;
  @Field(f.record(SIZES.settings)) details!: JsonObject;
}

export class SecurityEvent extends SecurityFacts {
  @Field(f.id(), { optional: true, description: 'Of an event that may be told more than once: it is recorded once.' })
  id?: string;
}

export class SecurityEventView extends SecurityFacts {
  @Field(f.id()) id!: string;
  @Field(f.object(() => EventActor)) actor!: EventActor;
  @Field(f.id(), { nullable: true }) actorUserId!: string | null;
  @Field(f.text(), { nullable: true }) credentialId!: string | null;
  @Field(f.text()) requestId!: string;
  @Field(f.time()) at!: string;
}

/** An event of any Space, or of the platform: its accounts, operators and their keys. */
export class PlatformEventView extends SecurityEventView {
  @Field(f.id(), { nullable: true, description: 'Null where the event concerns no Space.' }) spaceId!: string | null;
}

const ACTOR_FILTER =
  '^(machine|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}|[A-Za-z0-9]{22})$';

export class ListEvents extends PageRequest {
  @Field(f.id(), { optional: true }) spaceId?: string;
  @Field(f.text({ min: 1, max: 100 }), { optional: true, example: 'user.disabled' }) action?: string;
  @Field(f.text({ max: 40, pattern: ACTOR_FILTER, allows: 'must be the id of an actor, or machine' }), {
    optional: true,
    description: 'The id of the actor, or `machine`.',
  })
  actor?: string;
  @Field(f.time(), { optional: true, description: 'Recorded at this time or later.' }) from?: string;
  @Field(f.time(), { optional: true, description: 'Recorded before this time.' }) to?: string;
}
