import { f, Described, Field, SIZES } from '@switchyard/contracts';

const open = { optional: true, nullable: true } as const;

@Described('A response request, as in the OpenAI API. Fields that agents do not support are rejected by name.')
export class ResponsesBody {
  @Field(f.text({ min: 1, max: 200 }), { description: 'The id of an agent.' }) model!: string;
  @Field(f.json(SIZES.body), { description: 'A text, or items.' }) input!: unknown;
  @Field(f.text({ max: 200 }), { ...open, description: 'Id of the response that this one continues.' })
  previous_response_id?: string | null;
  @Field(f.json(SIZES.settings), { ...open, description: 'The id of a conversation, or an object with it.' })
  conversation?: unknown;
  @Field(f.bool(), { ...open, description: 'Whether to answer with server-sent events.' }) stream?: boolean | null;
  @Field(f.bool(), { ...open, description: 'Whether to return at once and run in the background.' }) background?:
    | boolean
    | null;
  @Field(f.bool(), { ...open, description: 'False: no session; nothing is kept but usage.' }) store?: boolean | null;
  @Field(f.text({ max: 200_000 }), { ...open, description: 'The caller’s own words before the input.' })
  instructions?: string | null;
  @Field(f.json(SIZES.agentList), { ...open, description: 'Tools of the type function.' }) tools?: unknown;
  @Field(f.number({ min: 0, max: 2 }), open) temperature?: number | null;
  @Field(f.number({ min: 0, max: 1 }), open) top_p?: number | null;
  @Field(f.int({ min: 1 }), { ...open, description: 'Most tokens of the answer.' }) max_output_tokens?: number | null;
  @Field(f.json(2 * SIZES.schema), { ...open, description: '`format`: text or json_schema.' }) text?: unknown;
  @Field(f.record(SIZES.metadata), { ...open, description: 'At most 16 pairs of texts, given back with the answer.' })
  metadata?: Record<string, unknown> | null;
  @Field(f.json(SIZES.settings), { ...open, description: 'Only `auto` is supported; other values are rejected.' })
  tool_choice?: unknown;
  @Field(f.json(SIZES.settings), { ...open, description: 'Only `true` is supported; other values are rejected.' })
  parallel_tool_calls?: unknown;
  @Field(f.json(SIZES.settings), {
    ...open,
    description: '`auto` or `disabled`. The platform compacts the context by itself.',
  })
  truncation?: unknown;
  @Field(f.json(SIZES.settings), { ...open, description: 'Only `reasoning.encrypted_content` is supported.' })
  include?: unknown;
  @Field(f.json(SIZES.settings), { ...open, description: 'Only `summary` is supported; the agent sets the rest.' })
  reasoning?: unknown;
  @Field(f.text(), { ...open, description: 'Only `auto` and `default` are supported.' }) service_tier?: string | null;
  @Field(f.json(SIZES.settings), { ...open, description: 'Options of the stream.' }) stream_options?: unknown;
  @Field(f.json(SIZES.settings), { ...open, description: 'Only 0 is supported.' }) top_logprobs?: unknown;
  @Field(f.json(SIZES.settings), { ...open, description: 'Not supported: values other than null are rejected.' })
  max_tool_calls?: unknown;
  @Field(f.json(SIZES.settings), { ...open, description: 'Not supported: values other than null are rejected.' })
  prompt?: unknown;
  @Field(f.text(), { ...open, description: 'Accepted and ignored: the credential names the user.' }) user?:
    | string
    | null;
  @Field(f.text(), { ...open, description: 'Accepted and ignored.' }) safety_identifier?: string | null;
  @Field(f.text(), { ...open, description: 'Accepted and ignored.' }) prompt_cache_key?: string | null;
  @Field(f.text(), { ...open, description: 'Accepted and ignored.' }) prompt_cache_retention?: string | null;
}

export class ResponseQuery {
  @Field(f.queryBool(), { optional: true, description: 'As server-sent events.' }) stream?: boolean;
  @Field(f.queryInt({ min: 0 }), { optional: true, description: 'The newest event that the client has.' })
  starting_after?: number;
  @Field(f.queryBool(), { optional: true, description: 'Taken and without effect.' }) include_obfuscation?: boolean;
}

export class InputItemsQuery {
  @Field(f.queryInt({ min: 1, max: 100 }), { optional: true, default: 20, description: 'Most items of the answer.' })
  limit?: number;
  @Field(f.oneOf(['asc', 'desc'] as const), {
    optional: true,
    default: 'desc',
    description: 'Order of the items, by time.',
  })
  order?: 'asc' | 'desc';
  @Field(f.text({ min: 1, max: 200 }), { optional: true, description: 'Only items behind the one with this id.' })
  after?: string;
}

@Described('A chat completion request, as in the OpenAI API. Fields that agents do not support are rejected by name.')
export class ChatCompletionsBody {
  @Field(f.text({ min: 1, max: 200 }), { description: 'The id of an agent.' }) model!: string;
  @Field(f.json(SIZES.body), { description: 'The history of this call alone, the newest message last.' })
  messages!: unknown;
  @Field(f.bool(), { ...open, description: 'Whether to answer with server-sent events.' }) stream?: boolean | null;
  @Field(f.json(SIZES.settings), { ...open, description: '`include_usage: true` adds a chunk with the token usage.' })
  stream_options?: unknown;
  @Field(f.json(SIZES.agentList), { ...open, description: 'Tools of the type function.' }) tools?: unknown;
  @Field(f.number({ min: 0, max: 2 }), open) temperature?: number | null;
  @Field(f.number({ min: 0, max: 1 }), open) top_p?: number | null;
  @Field(f.number(), open) frequency_penalty?: number | null;
  @Field(f.number(), open) presence_penalty?: number | null;
  @Field(f.int({ min: 1 }), { ...open, description: 'Most tokens of the answer.' }) max_tokens?: number | null;
  @Field(f.int({ min: 1 }), { ...open, description: 'Most tokens of the answer.' }) max_completion_tokens?:
    | number
    | null;
  @Field(f.json(2 * SIZES.schema), { ...open, description: '`text` or `json_schema`.' }) response_format?: unknown;
  @Field(f.json(SIZES.settings), { ...open, description: 'Only `auto` is supported; other values are rejected.' })
  tool_choice?: unknown;
  @Field(f.json(SIZES.settings), { ...open, description: 'Only `true` is supported; other values are rejected.' })
  parallel_tool_calls?: unknown;
  @Field(f.json(SIZES.settings), { ...open, description: 'Only 1 is supported.' }) n?: unknown;
  @Field(f.json(SIZES.settings), { ...open, description: 'Only an empty list is supported.' }) stop?: unknown;
  @Field(f.json(SIZES.settings), { ...open, description: 'Not supported: values other than null are rejected.' })
  seed?: unknown;
  @Field(f.json(SIZES.settings), { ...open, description: 'Only `false` is supported.' }) logprobs?: unknown;
  @Field(f.json(SIZES.settings), { ...open, description: 'Only 0 is supported.' }) top_logprobs?: unknown;
  @Field(f.json(SIZES.settings), { ...open, description: 'Only an empty object is supported.' }) logit_bias?: unknown;
  @Field(f.json(SIZES.settings), { ...open, description: 'Only `text` is supported.' }) modalities?: unknown;
  @Field(f.json(SIZES.settings), { ...open, description: 'Not supported: values other than null are rejected.' })
  audio?: unknown;
  @Field(f.json(SIZES.settings), { ...open, description: 'Not supported: values other than null are rejected.' })
  prediction?: unknown;
  @Field(f.json(SIZES.settings), { ...open, description: 'Not supported: values other than null are rejected.' })
  reasoning_effort?: unknown;
  @Field(f.json(SIZES.settings), { ...open, description: 'Only `medium` is supported.' }) verbosity?: unknown;
  @Field(f.json(SIZES.settings), { ...open, description: 'Not supported: values other than null are rejected.' })
  web_search_options?: unknown;
  @Field(f.json(SIZES.settings), { ...open, description: 'Only an empty list is supported; use `tools`.' })
  functions?: unknown;
  @Field(f.json(SIZES.settings), { ...open, description: 'Not supported: values other than null are rejected.' })
  function_call?: unknown;
  @Field(f.text(), { ...open, description: 'Only `auto` and `default` are supported.' }) service_tier?: string | null;
  @Field(f.bool(), { ...open, description: 'Accepted and ignored: chat completions are not stored.' }) store?:
    | boolean
    | null;
  @Field(f.record(SIZES.metadata), { ...open, description: 'Metadata of the caller.' }) metadata?: Record<
    string,
    unknown
  > | null;
  @Field(f.text(), { ...open, description: 'Accepted and ignored: the credential names the user.' }) user?:
    | string
    | null;
  @Field(f.text(), { ...open, description: 'Accepted and ignored.' }) safety_identifier?: string | null;
  @Field(f.text(), { ...open, description: 'Accepted and ignored.' }) prompt_cache_key?: string | null;
  @Field(f.text(), { ...open, description: 'Accepted and ignored.' }) prompt_cache_retention?: string | null;
}
