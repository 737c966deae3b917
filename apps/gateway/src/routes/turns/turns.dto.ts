import type { JsonObject } from '@switchyard/kernel';
import {
  ContentItem,
  ExecuteResult,
  ExecuteSettings,
  f,
  Described,
  Field,
  InteractionView,
  OwnOfTurn,
  REASONING_MAX,
  REASONING_TEXT,
  TURN_STATUSES,
  type TurnStatus,
  UsageReport,
  PLATFORM_WRITTEN,
  SIZES,
} from '@switchyard/contracts';

@Described('Settings of one chat turn.')
export class ChatSettings {
  @Field(f.number({ min: 0, max: 2 }), { optional: true }) temperature?: number;
  @Field(f.int({ min: 1 }), { optional: true, description: 'Most tokens of the answer.' }) max_tokens?: number;
  @Field(f.number({ min: 0, max: 1 }), { optional: true }) top_p?: number;
  @Field(f.number(), { optional: true }) frequency_penalty?: number;
  @Field(f.number(), { optional: true }) presence_penalty?: number;
  @Field(f.oneOf(['ask', 'agent'] as const), {
    optional: true,
    description: 'With `ask`, tools that change something are not executed.',
  })
  chat_mode?: 'ask' | 'agent';
  @Field(f.bool(), { optional: true, description: '`true` turns the web search tool off for this turn.' })
  disable_web_search?: boolean;
}

@Described('A chat request.')
export class ChatBody extends OwnOfTurn {
  @Field(
    f.list(
      f.object(() => ContentItem),
      { min: 1, max: 64 },
    ),
    { description: 'Message of the user.' },
  )
  contents!: ContentItem[];
  @Field(f.id(), { optional: true, description: 'Continues a conversation; without it a session is made.' })
  session_id?: string;
  @Field(f.id(), { optional: true, description: 'One UUID per user turn; a retry with it never runs the turn twice.' })
  turnId?: string;
  @Field(f.bool(), {
    optional: true,
    default: true,
    description: '`true`: answer with server-sent events. `false`: answer with one JSON body.',
  })
  stream?: boolean;
  @Field(f.object(() => ChatSettings), {
    optional: true,
    description: "Settings for this turn. They override the agent's.",
  })
  settings?: ChatSettings;
}

@Described('An execute request.')
export class ExecuteBody extends OwnOfTurn {
  @Field(f.record(SIZES.inputs), {
    optional: true,
    description: 'query, session_id, memory, context, internet, images, audios, and variables of the prompt.',
  })
  inputs?: JsonObject;
  @Field(f.object(() => ExecuteSettings), {
    optional: true,
    description: "Settings for this call. They override the agent's.",
  })
  settings?: ExecuteSettings;
  @Field(f.bool(), {
    optional: true,
    default: false,
    description: '`true`: answer with server-sent events. `false`: answer with one JSON body.',
  })
  stream?: boolean;
}

@Described('Answers an interaction.')
export class ResumeBody {
  @Field(f.id(), { description: 'Id of the session of the turn.' }) sessionId!: string;
  @Field(f.id(), { description: 'Id of the interaction to answer.' }) interactionId!: string;
  @Field(f.list(f.text({ min: 1, max: 200 }), { max: 100 }), { description: 'Ids of options, not labels.' })
  selectedOptionIds!: string[];
  @Field(f.text({ max: 10_000 }), {
    optional: true,
    nullable: true,
    description: 'The answer in own words, where the form allows one.',
  })
  otherText?: string | null;
}

@Described('Cancels a turn.')
export class CancelBody {
  @Field(f.id(), { optional: true, nullable: true, description: 'Id of the session of the turn; optional.' })
  sessionId?: string | null;
}

@Described('Result or error of a local tool call.')
export class ToolResultBody {
  @Field(f.id(), { optional: true, nullable: true, description: 'Id of the session of the turn; optional.' })
  sessionId?: string | null;
  @Field(f.text({ min: 1, max: 200 }), { description: 'Id of the tool call.' }) callId!: string;
  @Field(f.json(SIZES.toolValue), {
    optional: true,
    description: 'Result of the tool; may be null. Give either this or `error`.',
  })
  result?: unknown;
  @Field(f.text({ min: 1, max: 65_536 }), { optional: true, description: 'Why it failed, in place of a result.' })
  error?: string;
}

export class AttachQuery {
  @Field(f.queryInt({ min: 0 }), { optional: true, description: 'The last frame that the client has.' }) after?: number;
}

@Described('Answer of a chat without a stream.')
export class ChatAnswer {
  @Field(f.id()) session_id!: string;
  @Field(f.id()) turn_id!: string;
  @Field(f.id(), { nullable: true }) message_id!: string | null;
  @Field(f.oneOf(TURN_STATUSES), { description: 'Status of the turn.' }) status!: TurnStatus;
  @Field(f.text(), { description: 'Text of the answer.' }) answer!: string;
  @Field(f.text({ max: REASONING_MAX }), { optional: true, description: REASONING_TEXT }) reasoning?: string;
  @Field(f.list(f.object(() => ContentItem))) content!: ContentItem[];
  @Field(f.list(f.record(PLATFORM_WRITTEN)), { description: 'Tool calls of the turn, with arguments and results.' })
  tool_executions!: JsonObject[];
  @Field(f.list(f.record(PLATFORM_WRITTEN)), { description: 'Records of datasets that were given to the model.' })
  evidence!: JsonObject[];
  @Field(f.object(() => InteractionView), { nullable: true, description: 'The question that waits for an answer.' })
  interaction!: InteractionView | null;
  @Field(f.text(), { nullable: true, description: 'Why the model stopped; null if the turn waits.' }) finish_reason!:
    | string
    | null;
  @Field(f.int(), { description: 'Tokens of the turn in total.' }) tokens_used!: number;
  @Field(f.object(() => UsageReport)) token_usage!: UsageReport;
  @Field(f.number(), { description: 'Seconds.' }) execution_time!: number;
  @Field(f.json(PLATFORM_WRITTEN), {
    optional: true,
    description: 'The parsed answer, where the turn had a responseSchema.',
  })
  output?: unknown;
}

@Described('Answer of an execute without a stream. It is flat: the fields of the result, without an envelope.')
export class ExecuteAnswer extends ExecuteResult {
  @Field(f.schema<true>({ const: true }), { description: 'Always true.' }) success!: true;
  @Field(f.text(), { description: 'Message for people.' }) message!: string;
  @Field(f.id()) turn_id!: string;
  @Field(f.oneOf(TURN_STATUSES), { description: 'Status of the turn.' }) status!: TurnStatus;
  @Field(f.text(), { nullable: true, description: 'Why the model stopped; null if the turn waits.' })
  finish_reason!: string | null;
  @Field(f.object(() => InteractionView), { optional: true, description: 'The question that the turn waits for.' })
  interaction?: InteractionView;
}
