import type { JsonObject } from '@switchyard/kernel';
import { Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { SIZES } from '../input-size-limits';
import { ContentItem } from '../session/content-items';
import { NewMessage } from '../session/message';
import {
  NON_EMPTY_DESCRIPTION,
  type SessionMade,
  SESSIONS_MADE,
  SESSIONS_MADE_DESCRIPTION,
} from '../session/open-turn';
import { LocalTool } from './agent-field-types';
import { ModelSettings } from './model-settings';

/** Origin of a run, for usage accounting. */
export const TURN_SOURCES = ['chat', 'execute', 'job', 'task', 'mcp'] as const;
export type TurnSource = (typeof TURN_SOURCES)[number];

/** Contents of one message; every protocol allows fewer. */
const CONTENTS_MAX = 2_000;

/** How long the call waits for the end. Then the reply is RUNNING, and the same request may poll. */
const waitMs = f.int({ min: 0, max: 660_000 });

/** Per-call overrides and additions to the agent's configuration. */
export class OwnOfTurn {
  @Field(
    f.list(
      f.object(() => LocalTool),
      { max: 64, bytes: SIZES.agentList },
    ),
    { optional: true, description: 'Tools of the host application in this turn alone, beside those of the agent.' },
  )
  localTools?: LocalTool[];
  @Field(f.record(SIZES.schema), {
    optional: true,
    description: 'JSON Schema (2020-12) that the answer of this turn must match, in place of the agent’s.',
  })
  responseSchema?: JsonObject;
}

/** Messages before the newest one, for protocols that send the whole conversation. */
export class OwnWords extends OwnOfTurn {
  @Field(f.text({ min: 1, max: 200_000 }), {
    optional: true,
    description: 'The caller’s own words before the newest message, in this turn alone. Never system text.',
  })
  instructions?: string;
  @Field(
    f.list(
      f.object(() => NewMessage),
      { max: 2_000 },
    ),
    { optional: true, description: 'Messages that came before, and that no session has yet.' },
  )
  history?: NewMessage[];
  @Field(f.record(SIZES.metadata), {
    optional: true,
    description: 'What the caller notes with it: told with the first frames.',
  })
  metadata?: JsonObject;
}

export class StartChat extends OwnWords {
  @Field(f.id()) agentId!: string;
  @Field(f.id(), { optional: true }) turnId?: string;
  @Field(f.id(), { optional: true }) sessionId?: string;
  @Field(f.oneOf(SESSIONS_MADE), { optional: true, description: SESSIONS_MADE_DESCRIPTION }) makesSession?: SessionMade;
  @Field(f.bool(), { optional: true, description: NON_EMPTY_DESCRIPTION }) isSaidIn?: boolean;
  @Field(f.id(), {
    optional: true,
    description: 'Of the message that the user says, where its client has given it one.',
  })
  messageId?: string;
  @Field(
    f.list(
      f.object(() => ContentItem),
      { min: 1, max: CONTENTS_MAX },
    ),
  )
  contents!: ContentItem[];
  @Field(f.object(() => ModelSettings), { optional: true }) settings?: ModelSettings;
  @Field(f.oneOf(['ask', 'agent'] as const), { optional: true }) chatMode?: 'ask' | 'agent';
  @Field(f.bool(), { optional: true }) disableWebSearch?: boolean;
  @Field(f.oneOf(TURN_SOURCES), { optional: true }) source?: TurnSource;
  @Field(f.text({ max: 200 }), {
    optional: true,
    description: 'Names the body that came in; made from this request unless given.',
  })
  fingerprint?: string;
  @Field(waitMs, { optional: true }) waitMs?: number;
}

export class StartExecute extends OwnWords {
  @Field(f.id()) agentId!: string;
  @Field(f.id(), { optional: true, description: 'Given by callers that retry: the same id never runs twice.' })
  turnId?: string;
  @Field(f.record(SIZES.inputs), {
    description: 'query, session_id, memory, context, internet, images, audios and prompt variables.',
  })
  inputs!: JsonObject;
  @Field(
    f.list(
      f.object(() => ContentItem),
      { min: 1, max: CONTENTS_MAX },
    ),
    { optional: true, description: 'In place of query, images, audios. With a history, the newest message.' },
  )
  contents?: ContentItem[];
  @Field(f.object(() => ModelSettings), { optional: true }) settings?: ModelSettings;
  @Field(f.oneOf(['ask', 'agent'] as const), { optional: true }) chatMode?: 'ask' | 'agent';
  @Field(f.bool(), { optional: true, description: 'Of a run with contents.' }) disableWebSearch?: boolean;
  @Field(f.oneOf(TURN_SOURCES), { optional: true }) source?: TurnSource;
  @Field(f.text({ max: 200 }), { optional: true }) fingerprint?: string;
  @Field(waitMs, { optional: true }) waitMs?: number;
  @Field(f.bool(), { optional: true, description: 'Only its own stream may read it, and nothing of it is kept.' })
  isUnstored?: boolean;
}

export class ResumeTurn {
  @Field(f.id()) agentId!: string;
  @Field(f.id()) turnId!: string;
  @Field(f.id()) sessionId!: string;
  @Field(f.id()) interactionId!: string;
  @Field(f.list(f.text({ max: 200 }), { max: 100 })) selectedOptionIds!: string[];
  @Field(f.text({ max: 20_000 }), { nullable: true }) otherText!: string | null;
}

export class AttachTurn {
  @Field(f.id()) agentId!: string;
  @Field(f.id()) turnId!: string;
  @Field(f.id(), { optional: true, description: 'The turn of this session is meant.' }) sessionId?: string;
  @Field(f.int({ min: 0 }), { optional: true, description: 'The last frame that the reader has.' }) after?: number;
  @Field(f.bool(), { optional: true, description: 'Goes on with the stream that an unstored turn was begun for.' })
  isOwnStream?: boolean;
}

export class TurnById {
  @Field(f.id()) agentId!: string;
  @Field(f.id()) turnId!: string;
}

export class CancelTurn {
  /** Set by callers, who need access to the agent; absent when the platform stops a turn. */
  @Field(f.id(), { optional: true }) agentId?: string;
  @Field(f.id()) turnId!: string;
  @Field(f.id(), { optional: true }) sessionId?: string;
}

export class SubmitToolResult {
  @Field(f.id()) agentId!: string;
  @Field(f.id()) turnId!: string;
  @Field(f.id(), { optional: true }) sessionId?: string;
  @Field(f.text({ min: 1, max: 200 })) callId!: string;
  @Field(f.json(SIZES.toolValue), { optional: true }) result?: unknown;
  @Field(f.text({ min: 1, max: 65_536 }), { optional: true }) error?: string;
}
