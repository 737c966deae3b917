import type { JsonObject } from '@switchyard/kernel';
import { PageRequest } from '../define/common-shapes';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { SIZES } from '../input-size-limits';

export const ACTOR_TYPES = ['user', 'key', 'account', 'operator', 'machine'] as const;
export type ActorType = (typeof ACTOR_TYPES)[number];

@Described('The actor: a person, an API key, a NATS account, an operator, or the platform.')
export class EventActor {
  @Field(f.oneOf(ACTOR_TYPES), { description: 'Kind of the actor.' }) type!: ActorType;
  @Field(f.text(), { optional: true, description: 'Id of the actor, if it has one.' }) id?: string;
}

@Described('An entry of the log of security events. It contains no secrets.')
class SecurityFacts {
  @Field(
    f.text({
      min: 1,
      max: 100,
      pattern: '^[a-z][a-z0-9._-]*$',
      allows: 'must be the name of an action, such as agent.access-changed',
    }),
    { example: 'agent.access-changed', description: 'Name of the event, such as `api-key.created`.' },
  )
  action!: string;
  @Field(f.text({ min: 1, max: 200 }), { nullable: true, description: 'Object of the action.' }) target!: string | null;
  @Field(f.record(SIZES.settings), { description: 'Details of the event.' }) details!: JsonObject;
}

export class SecurityEvent extends SecurityFacts {
  @Field(f.id(), { optional: true, description: 'Of an event that may be told more than once: it is recorded once.' })
  id?: string;
}

@Described('An entry of the log of security events.')
export class SecurityEventView extends SecurityFacts {
  @Field(f.id()) id!: string;
  @Field(f.object(() => EventActor), { description: 'User or service that acted.' }) actor!: EventActor;
  @Field(f.id(), { nullable: true, description: 'Id of the user who did it; null if no user did.' }) actorUserId!:
    | string
    | null;
  @Field(f.text(), { nullable: true, description: 'Id of the credential; null if none was used.' }) credentialId!:
    | string
    | null;
  @Field(f.text(), { description: 'Id of the request.' }) requestId!: string;
  @Field(f.time(), { description: 'Time of the event.' }) at!: string;
}

@Described('An event of any Space, or of the platform: its accounts, operators and their keys.')
export class PlatformEventView extends SecurityEventView {
  @Field(f.id(), { nullable: true, description: 'Null where the event concerns no Space.' }) spaceId!: string | null;
}

const ACTOR_FILTER =
  '^(machine|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}|[A-Za-z0-9]{22})$';

/** Filters of the log; all of them must match. */
export class SecurityEventsRequest extends PageRequest {
  @Field(f.text({ min: 1, max: 100 }), {
    optional: true,
    example: 'user.disabled',
    description: 'Only events with this action.',
  })
  action?: string;
  @Field(f.text({ max: 40, pattern: ACTOR_FILTER, allows: 'must be the id of an actor, or machine' }), {
    optional: true,
    description: 'The id of the actor, or `machine`.',
  })
  actor?: string;
  @Field(f.time(), { optional: true, description: 'Recorded at this time or later.' }) from?: string;
  @Field(f.time(), { optional: true, description: 'Recorded before this time.' }) to?: string;
}

export class ListSecurityEvents extends SecurityEventsRequest {
  @Field(f.id()) spaceId!: string;
}

export class ListEvents extends SecurityEventsRequest {
  @Field(f.id(), { optional: true, description: 'Only events of this Space.' }) spaceId?: string;
}
