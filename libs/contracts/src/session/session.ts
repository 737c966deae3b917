import type { JsonObject } from '@switchyard/kernel';
import { PageRequest } from '../define/common-shapes';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { Oversized } from '../oversized-fields';
import { SIZES } from '../input-size-limits';

export const SESSION_STATUSES = ['ACTIVE', 'DELETED'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

const title = f.text({ min: 1, max: 200 });

@Described('A session in a list, without its metadata.')
export class SessionSummary {
  @Field(f.id()) id!: string;
  @Field(f.text(), { nullable: true, description: 'Null until it is given or the first message is stored.' })
  title!: string | null;
  @Field(f.id(), { nullable: true, description: 'Null until the first turn, where none was named.' }) agentId!:
    | string
    | null;
  @Field(f.id()) userId!: string;
  @Field(f.oneOf(SESSION_STATUSES), { description: 'Status of the session.' }) status!: SessionStatus;
  @Field(f.id(), { nullable: true, description: 'Id of the active turn; null if there is none.' }) activeTurnId!:
    | string
    | null;
  @Field(f.int({ min: 0 }), { description: 'User, assistant and tool messages.' }) messageCount!: number;
  @Field(f.time()) createdAt!: string;
  @Field(f.time()) updatedAt!: string;
  @Field(f.time(), { nullable: true, description: 'Time of the last message; null before the first.' }) lastMessageAt!:
    | string
    | null;
}

@Described('A session with its metadata.')
export class SessionView extends SessionSummary {
  @Field(f.record(SIZES.metadata)) metadata!: JsonObject;
  @Field(f.object(() => Oversized), { optional: true }) oversized?: Oversized;
}

@Described('A new session.')
export class CreateSession {
  @Field(f.id(), { optional: true, description: 'Agent that the session begins with; optional.' }) agentId?: string;
  @Field(title, { optional: true, description: 'Title of the session.' }) title?: string;
  @Field(f.record(SIZES.metadata), { optional: true }) metadata?: JsonObject;
}

/** For protocols whose clients choose the conversation's id: creates the session if the caller has none of this id. */
export class EnsureSession {
  @Field(f.id()) id!: string;
  @Field(f.bool(), { optional: true, description: 'The id was made of a name of the caller’s own.' }) isNamed?: boolean;
  @Field(f.id(), { optional: true }) agentId?: string;
  @Field(f.record(SIZES.metadata), { optional: true, description: 'Of a session that is made.' }) metadata?: JsonObject;
}

export class ListSessions extends PageRequest {
  @Field(f.id(), { optional: true, description: 'Only sessions of this agent.' }) agentId?: string;
  @Field(f.text({ max: 200 }), { optional: true, description: 'Part of the title.' }) q?: string;
  @Field(f.queryBool(), { optional: true, description: 'Everybody’s sessions of the Space; for ADMIN and up.' })
  allUsers?: boolean;
}

@Described('Changes of a session. Given fields are replaced, the others stay.')
export class SessionChanges {
  @Field(title, { optional: true, description: 'New title.' }) title?: string;
  @Field(f.record(SIZES.metadata), { optional: true, description: 'Replaces what was there.' }) metadata?: JsonObject;
}

export class UpdateSession extends SessionChanges {
  @Field(f.id()) id!: string;
}

/** For protocols whose clients continue after a response id rather than in a session. */
export class GoOnAfter {
  @Field(f.id(), { description: 'The turn whose answer is the newest thing that the next turn knows.' })
  turnId!: string;
  @Field(f.id(), { description: 'Where that has begun already, its session is meant.' }) nextTurnId!: string;
  @Field(f.id(), { description: 'The agent of the next turn: nothing is copied for another one.' }) agentId!: string;
}

@Described('Forks a session.')
export class ForkRequest {
  @Field(f.id(), {
    optional: true,
    description: 'The last message that the new session shares; without it, all of them.',
  })
  fromMessageId?: string;
}

export class ForkSession extends ForkRequest {
  @Field(f.id()) id!: string;
}
