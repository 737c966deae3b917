import { f, Field, SIZES } from '@switchyard/contracts';

const open = { optional: true, nullable: true } as const;

/** The fields of a response's request. Fields of any JSON are validated by their reader, whose errors name them. */
export class ResponsesBody {
  @Field(f.text({ min: 1, max: 200 }), { description: 'The id of an agent.' }) model!: string;
  @Field(f.json(SIZES.body), { description: 'A text, or items.' }) input!: unknown;
  @Field(f.text({ max: 200 }), open) previous_response_id?: string | null;
  @Field(f.json(SIZES.settings), { ...open, description: 'The id of a conversation, or an object with it.' })
  conversation?: unknown;
  @Field(f.bool(), open) stream?: boolean | null;
  @Field(f.bool(), open) background?: boolean | null;
  @Field(f.bool(), { ...open, description: 'False: no session; nothing is kept but usage.' }) store?: boolean | null;
  @Field(f.text({ max: 200_000 }), { ...open, description: 'The caller’s own words before the input.' })
  instructions?: string | null;
  @Field(f.json(SIZES.agentList), { ...open, description: 'Tools of the type function.' }) tools?: unknown;
  @Field(f.number({ min: 0, max: 2 }), open) temperature?: number | null;
  @Field(f.number({ min: 0, max: 1 }), open) top_p?: number | null;
  @Field(f.int({ min: 1 }), open) max_output_tokens?: number | null;
  @Field(f.json(2 * SIZES.schema), { ...open, description: '`format`: text or json_schema.' }) text?: unknown;
  @Field(f.record(SIZES.metadata), { ...open, description: 'At most 16 pairs of texts, given back with the answer.' })
  metadata?: Record<string, unknown> | null;
  @Field(f.json(SIZES.settings), open) tool_choice?: unknown;
  @Field(f.json(SIZES.settings), open) parallel_tool_calls?: unknown;
  @Field(f.json(SIZES.settings), open) truncation?: unknown;
  @Field(f.json(SIZES.settings), open) include?: unknown;
  @Field(f.json(SIZES.settings), open) reasoning?: unknown;
  @Field(f.text(), open) service_tier?: string | null;
  @Field(f.json(SIZES.settings), open) stream_options?: unknown;
  @Field(f.json(SIZES.settings), open) top_logprobs?: unknown;
  @Field(f.json(SIZES.settings), open) max_tool_calls?: unknown;
  @Field(f.json(SIZES.settings), open) prompt?: unknown;
  @Field(f.text(), open) user?: string | null;
  @Field(f.text(), open) safety_identifier?: string | null;
  @Field(f.text(), open) prompt_cache_key?: string | null;
  @Field(f.text(), open) prompt_cache_retention?: string | null;
}

export class ResponseQuery {
  @Field(f.queryBool(), { optional: true, description: 'As server-sent events.' }) stream?: boolean;
  @Field(f.queryInt({ min: 0 }), { optional: true, description: 'The newest event that the client has.' })
  starting_after?: number;
  @Field(f.queryBool(), { optional: true, description: 'Taken and without effect.' }) include_obfuscation?: boolean;
}

export class InputItemsQuery {
  @Field(f.queryInt({ min: 1, max: 100 }), { optional: true, default: 20 }) limit?: number;
  @Field(f.oneOf(['asc', 'desc'] as const), { optional: true, default: 'desc' }) order?: 'asc' | 'desc';
  @Field(f.text({ min: 1, max: 200 }), { optional: true, description: 'Only items behind the one with this id.' })
  after?: string;
}

export class ChatCompletionsBody {
  @Field(f.text({ min: 1, max: 200 }), { description: 'The id of an agent.' }) model!: string;
  @Field(f.json(SIZES.body), { description: 'The history of this call alone, the newest message last.' })
  messages!: unknown;
  @Field(f.bool(), open) stream?: boolean | null;
  @Field(f.json(SIZES.settings), open) stream_options?: unknown;
  @Field(f.json(SIZES.agentList), { ...open, description: 'Tools of the type function.' }) tools?: unknown;
  @Field(f.number({ min: 0, max: 2 }), open) temperature?: number | null;
  @Field(f.number({ min: 0, max: 1 }), open) top_p?: number | null;
  @Field(f.number(), open) frequency_penalty?: number | null;
  @Field(f.number(), open) presence_penalty?: number | null;
  @Field(f.int({ min: 1 }), open) max_tokens?: number | null;
  @Field(f.int({ min: 1 }), open) max_completion_tokens?: number | null;
  @Field(f.json(2 * SIZES.schema), { ...open, description: '`text` or `json_schema`.' }) response_format?: unknown;
  @Field(f.json(SIZES.settings), open) tool_choice?: unknown;
  @Field(f.json(SIZES.settings), open) parallel_tool_calls?: unknown;
  @Field(f.json(SIZES.settings), open) n?: unknown;
  @Field(f.json(SIZES.settings), open) stop?: unknown;
  @Field(f.json(SIZES.settings), open) seed?: unknown;
  @Field(f.json(SIZES.settings), open) logprobs?: unknown;
  @Field(f.json(SIZES.settings), open) top_logprobs?: unknown;
  @Field(f.json(SIZES.settings), open) logit_bias?: unknown;
  @Field(f.json(SIZES.settings), open) modalities?: unknown;
  @Field(f.json(SIZES.settings), open) audio?: unknown;
  @Field(f.json(SIZES.settings), open) prediction?: unknown;
  @Field(f.json(SIZES.settings), open) reasoning_effort?: unknown;
  @Field(f.json(SIZES.settings), open) verbosity?: unknown;
  @Field(f.json(SIZES.settings), open) web_search_options?: unknown;
  @Field(f.json(SIZES.settings), open) functions?: unknown;
  @Field(f.json(SIZES.settings), open) function_call?: unknown;
  @Field(f.text(), open) service_tier?: string | null;
  @Field(f.bool(), open) store?: boolean | null;
  @Field(f.record(SIZES.metadata), open) metadata?: Record<string, unknown> | null;
  @Field(f.text(), open) user?: string | null;
  @Field(f.text(), open) safety_identifier?: string | null;
  @Field(f.text(), open) prompt_cache_key?: string | null;
  @Field(f.text(), open) prompt_cache_retention?: string | null;
}
