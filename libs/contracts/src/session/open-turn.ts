import type { JsonObject } from '@switchyard/kernel';
import { Field } from '../fields/field';
import { PLATFORM_WRITTEN } from '../fields/json-size';
import { f } from '../fields/field-schema';
import { ModelContext } from './model-context';
import { NewMessage } from './message';
import { TurnRecord } from './turn';

/** Whose id a session gets that is created with its first turn. */
export const SESSIONS_MADE = ['own', 'named'] as const;
export type SessionMade = (typeof SESSIONS_MADE)[number];

export const SESSIONS_MADE_DESCRIPTION =
  'Where there is no session of this id, it is made with the turn. named: the id was made of a name of the caller’s own.';
export const NON_EMPTY_DESCRIPTION = 'Only a session in which something was said: NOT_FOUND otherwise.';

/**
 * Opens a turn, or returns the one that the same request opened before. The caller has checked access to the agent.
 * `stateless` stores only the turn record, until a day after its end.
 */
export class OpenTurn {
  @Field(f.id(), { optional: true }) turnId?: string;
  @Field(f.id()) agentId!: string;
  @Field(f.text({ max: 1000 }), { optional: true, description: 'Its name now, for the events of the turn.' })
  agentName?: string;
  @Field(f.id(), { optional: true, description: 'Without it a session is made, unless the turn is stateless.' })
  sessionId?: string;
  @Field(f.oneOf(SESSIONS_MADE), { optional: true, description: SESSIONS_MADE_DESCRIPTION }) makesSession?: SessionMade;
  @Field(f.bool(), { optional: true, description: NON_EMPTY_DESCRIPTION }) isSaidIn?: boolean;
  @Field(f.bool(), { optional: true }) stateless?: boolean;
  @Field(f.text({ min: 1, max: 200 }), { description: 'Names the request; `stream` is no part of it.' })
  fingerprint!: string;
  @Field(f.object(() => NewMessage), { optional: true, description: 'What the user said; needed unless stateless.' })
  message?: NewMessage;
  @Field(
    f.list(
      f.object(() => NewMessage),
      { max: 2_000 },
    ),
    { optional: true, description: 'What came before the message and is in no session yet.' },
  )
  before?: NewMessage[];
  @Field(f.record(PLATFORM_WRITTEN), {
    description: 'State that the runtime needs to start this turn again on another replica.',
  })
  input!: JsonObject;
  @Field(f.text({ min: 1, max: 200 })) model!: string;
  @Field(f.int({ min: 1 }), { description: 'Tokens that the model’s window holds.' }) contextWindow!: number;
  @Field(f.text({ min: 1, max: 200 }), { description: 'The agent replica that runs the turn.' }) owner!: string;
  @Field(f.int({ min: 0 }), {
    optional: true,
    description: 'With more tokens than this in its context, by stored counts and estimates, the turn is not opened.',
  })
  contextTokenLimit?: number;
}

export const OPEN_OUTCOMES = ['opened', 'attach', 'replay', 'over-limit'] as const;
export type OpenOutcome = (typeof OPEN_OUTCOMES)[number];

export class OpenedTurn {
  @Field(f.oneOf(OPEN_OUTCOMES), {
    description:
      'opened: run it. attach: it is active, read its frames. replay: it has ended. over-limit: nothing was written.',
  })
  outcome!: OpenOutcome;
  @Field(f.object(() => TurnRecord), { nullable: true, description: 'Null for `over-limit` alone.' })
  turn!: TurnRecord | null;
  @Field(f.bool()) sessionCreated!: boolean;
  @Field(f.object(() => ModelContext), {
    nullable: true,
    description: 'For `opened` and `over-limit` with a session: the past, this turn’s user message last.',
  })
  context!: ModelContext | null;
  @Field(f.int({ min: 0 }), {
    optional: true,
    description: 'For `over-limit`: the least `contextTokenLimit` with which the turn opens, unless the session grows.',
  })
  contextTokens?: number;
  @Field(f.int({ min: 1 }), { description: 'The lease ends this long after the last heartbeat.' })
  leaseSeconds!: number;
}
