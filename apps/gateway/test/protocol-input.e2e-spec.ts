import { type Client, type TestSpace, usePlatform } from '@switchyard/testing';

/** An invalid value is refused with the field's name, in the protocol's error format. */
const platform = usePlatform();
const ID = '0190a0b0-0000-7000-8000-00000000000a';
const TEXT = [7, true, {}, []];
const BOOL = [7, 'yes', {}, []];
const NUMBER = ['7', true, {}, []];
const OBJECT = [7, 'x', true, []];
const LIST = [7, 'x', true, {}];
/** Unsupported fields accept only the default that clients send. */
const ANYTHING = [7, 'x', {}, [7]];
const NUL = 'a\u0000b';

/** In place of the field of a path: each of these is refused by that path, or by the one that stands after it. */
type Table = readonly (readonly [path: string, wrong: readonly unknown[], named?: string])[];

const PART = (part: object): unknown[] => [{ role: 'user', content: [part] }];
const TOOL = { type: 'function', name: 'pay', parameters: {} };
const NESTED = { name: 'pay', parameters: {} };

const RESPONSES: Table = [
  ['model', TEXT],
  ['input', [7, true, {}]],
  ['input', [undefined, null, []]],
  ['input[0]', [[7], ['x'], [[]]].map(([item]) => item)],
  ['previous_response_id', TEXT],
  ['conversation', [7, true, [], {}, { id: 7 }]],
  ['stream', BOOL],
  ['background', BOOL],
  ['store', BOOL],
  ['instructions', TEXT],
  ['temperature', [...NUMBER, -1, 3]],
  ['top_p', [...NUMBER, 2]],
  ['max_output_tokens', [...NUMBER, 0, 1.5]],
  ['text', OBJECT],
  ['text.format', OBJECT],
  ['text.format.type', [7, 'json_object', {}]],
  ['text.verbosity', [7, 'high', {}]],
  ['metadata', OBJECT],
  ['metadata.a', [7, true, {}, [], 'x'.repeat(513)]],
  ['tools', LIST],
  ['tools[0]', [7, 'x', []]],
  ['tools[0].type', [7, 'web_search', {}]],
  ...(['name', 'description', 'parameters', 'strict'] as const).map(
    (field) =>
      [`tools[0].${field}`, [7, {}, []].filter((value) => !(field === 'parameters' && isEmptyObject(value)))] as const,
  ),
  ['tools[0].name', ['', 'a b', 'ask_user', 'x'.repeat(65)]],
  ['tool_choice', ANYTHING],
  ['parallel_tool_calls', [7, 'x', {}, false]],
  ['truncation', [7, {}, []]],
  ['include', [7, 'x', {}, ['x'], [7]]],
  ['reasoning', OBJECT],
  ['reasoning.effort', [7, 'high', {}]],
  ['reasoning.summary', [7, {}, [], 'x']],
  ['service_tier', [...TEXT, 'flex']],
  ['stream_options', OBJECT],
  ['stream_options.include_obfuscation', BOOL],
  ['top_logprobs', ANYTHING],
  ['max_tool_calls', ANYTHING],
  ['prompt', ANYTHING],
  ...['user', 'safety_identifier', 'prompt_cache_key', 'prompt_cache_retention'].map((name) => [name, TEXT] as const),
  ['unheard_of', [7]],
];
function isEmptyObject(value: unknown): boolean {
  return JSON.stringify(value) === '{}';
}

/** Items of an input, and the field of them that is refused. */
const ITEMS: readonly (readonly [item: object, path: string])[] = [
  [{ role: 7, content: 'x' }, '.role'],
  [{ role: 'robot', content: 'x' }, '.role'],
  [{ role: 'user', content: 7 }, '.content'],
  [{ role: 'user', content: {} }, '.content'],
  [{ role: 'assistant', content: [7] }, '.content[0]'],
  [{ role: 'developer', content: 7 }, '.content'],
  [{ role: 'user', content: 'x', id: 7 }, '.id'],
  [{ role: 'user', content: [7] }, '.content[0]'],
  [{ role: 'user', content: [{ type: 7 }] }, '.content[0].type'],
  [{ role: 'user', content: [{ type: 'input_text', text: 7 }] }, '.content[0].text'],
  [{ role: 'user', content: [{ type: 'input_image', image_url: 7 }] }, '.content[0].image_url'],
  [{ role: 'user', content: [{ type: 'input_image', image_url: 'http://a/b', detail: 7 }] }, '.content[0].detail'],
  [{ role: 'user', content: [{ type: 'input_audio', input_audio: 7 }] }, '.content[0].input_audio'],
  [{ role: 'user', content: [{ type: 'input_audio', input_audio: { format: 7 } }] }, '.content[0].input_audio.format'],
  [{ role: 'user', content: [{ type: 'input_file', file_id: 'file_1' }] }, '.content[0].file_id'],
  [{ role: 'user', content: [{ type: 'input_file', file_url: 7 }] }, '.content[0].file_url'],
  [{ role: 'user', content: [{ type: 'input_file' }] }, '.content[0].file_data'],
  [{ type: 7 }, '.type'],
  [{ type: 'computer_call_output' }, '.type'],
  [{ type: 'function_call', call_id: 7 }, '.call_id'],
  [{ type: 'function_call', call_id: 'a', name: 7 }, '.name'],
  [{ type: 'function_call', call_id: 'a', name: 'a', arguments: {} }, '.arguments'],
  [{ type: 'function_call_output', call_id: 7, output: 'x' }, '.call_id'],
  [{ type: 'function_call_output', call_id: 'a', output: 7 }, '.output'],
  [{ type: 'item_reference', id: 7 }, '.id'],
];

const CHAT: Table = [
  ['model', TEXT],
  ['messages', [...LIST, undefined, null, []]],
  ['messages[0]', [7, 'x', []]],
  ['messages[0].role', [7, 'robot', {}]],
  ['messages[0].content', [7, {}]],
  ['messages[0].name', [7, {}]],
  ['messages[0].content[0]', [7, 'x']],
  ['messages[0].content[0].type', [7, 'video']],
  ['stream', BOOL],
  ['stream_options', OBJECT],
  ['stream_options.include_usage', BOOL],
  ['temperature', [...NUMBER, 3]],
  ['top_p', [...NUMBER, 2]],
  ['frequency_penalty', NUMBER],
  ['presence_penalty', NUMBER],
  ['max_tokens', [...NUMBER, 0]],
  ['max_completion_tokens', [...NUMBER, 0]],
  ['response_format', OBJECT],
  ['response_format.type', [7, 'json_object']],
  ['tools', LIST],
  ['tools[0]', [7, 'x', []]],
  ['tools[0].type', [7, 'custom', {}]],
  ['tools[0].function', [7, 'x', []]],
  ['tools[0].function.name', [7, '', 'ask_user', {}]],
  ['tools[0].function.parameters', [7, 'x', []]],
  ...['tool_choice', 'n', 'stop', 'seed', 'logprobs', 'top_logprobs', 'logit_bias', 'modalities', 'audio'].map(
    (name) => [name, [7, 'x', [7]]] as const,
  ),
  ...['prediction', 'reasoning_effort', 'verbosity', 'web_search_options', 'functions', 'function_call'].map(
    (name) => [name, [7, 'x', [7]]] as const,
  ),
  ['web_search_options', [{}]],
  ['parallel_tool_calls', [7, 'x', false]],
  ['service_tier', [...TEXT, 'flex']],
  ['store', BOOL],
  ['metadata', OBJECT],
  ...['user', 'safety_identifier', 'prompt_cache_key', 'prompt_cache_retention'].map((name) => [name, TEXT] as const),
  ['unheard_of', [7]],
];
const CALLS: readonly (readonly [message: object, path: string])[] = [
  [{ role: 'assistant', tool_calls: 7 }, '.tool_calls'],
  [{ role: 'assistant', tool_calls: [7] }, '.tool_calls[0]'],
  [{ role: 'assistant', tool_calls: [{ id: 'a' }] }, '.tool_calls[0].function'],
  [{ role: 'assistant', tool_calls: [{ id: 7, function: { name: 'a' } }] }, '.tool_calls[0].id'],
  [{ role: 'assistant', tool_calls: [{ id: 'a', function: { name: 7 } }] }, '.tool_calls[0].function.name'],
  [
    { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'a', arguments: {} } }] },
    '.tool_calls[0].function.arguments',
  ],
  [{ role: 'tool', content: 'x' }, '.tool_call_id'],
  [{ role: 'tool', tool_call_id: 'a', content: 7 }, '.content'],
];

const AG_UI: Table = [
  ['threadId', [...TEXT, '']],
  ['runId', [...TEXT, '']],
  ['parentRunId', TEXT],
  ['protocolVersion', TEXT],
  ['messages', [...LIST, undefined, null, []]],
  ['messages[0]', [7, 'x', []]],
  ['messages[0].id', [7, {}]],
  ['messages[0].role', [7, 'robot']],
  ['messages[0].content', [7, {}, '', []]],
  ['messages[0].content[0]', [7, 'x']],
  ['messages[0].content[0].type', [7, 'video']],
  ['tools', LIST],
  ['tools[0]', [7, 'x', []]],
  ['tools[0].name', [7, '', 'ask_user']],
  ['tools[0].description', [7, {}]],
  ['tools[0].parameters', [7, 'x', []]],
  ['context', LIST],
  ['context[0]', [7, 'x']],
  ['context[0].description', [7, '']],
  ['context[0].value', [7, {}]],
  ['resume', LIST],
  ['resume[0]', [7, 'x']],
  ['resume[0].interruptId', [7, 'x']],
  ['resume[0].status', [7, 'maybe']],
  ['resume[0].payload', [7, 'x', []]],
  ['resume[0].payload.selectedOptionIds', [7, 'x', [7]]],
  ['resume[0].payload.otherText', [7, {}]],
  ['unheard_of', [7]],
];
const RUN_MESSAGES: readonly (readonly [message: object, path: string])[] = [
  [{ role: 'user', content: [{ type: 'text', text: 7 }] }, '.content[0].text'],
  [{ role: 'user', content: [{ type: 'image', source: 7 }] }, '.content[0].source'],
  [{ role: 'user', content: [{ type: 'image', source: { type: 'url', value: 7 } }] }, '.content[0].source.value'],
  [{ role: 'user', content: [{ type: 'image', source: { type: 'file', value: 'a' } }] }, '.content[0].source.type'],
  [{ role: 'assistant', content: 7 }, '.content'],
  [{ role: 'assistant', toolCalls: 7 }, '.toolCalls'],
  [{ role: 'assistant', toolCalls: [{ id: 7, function: { name: 'a' } }] }, '.toolCalls[0].id'],
  [{ role: 'assistant', toolCalls: [{ id: 'a', function: { name: 7 } }] }, '.toolCalls[0].function.name'],
  [
    { role: 'assistant', toolCalls: [{ id: 'a', function: { name: 'a', arguments: {} } }] },
    '.toolCalls[0].function.arguments',
  ],
  [{ role: 'tool', toolCallId: 7, content: 'x' }, '.toolCallId'],
  [{ role: 'tool', toolCallId: 'a', content: 7 }, '.content'],
  [{ role: 'tool', toolCallId: 'a', error: 7 }, '.error'],
  [{ role: 'system', content: 7 }, '.content'],
];

/** `body`, in which something else stands at `path`. */
function replaced(body: object, path: string, value: unknown): object {
  const copy = structuredClone(body) as Record<string, unknown>;
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '');
  let at = copy;
  for (const step of steps.slice(0, -1)) {
    at[step] ??= {};
    at = at[step] as Record<string, unknown>;
  }
  at[steps.at(-1) ?? ''] = value;
  return copy;
}

describe('bad input', () => {
  let space: TestSpace;
  let key: Client;
  let model: string;

  beforeAll(async () => {
    space = await platform.newSpace();
    key = await space.key();
    model = (await space.owner.post('/agents', { name: 'A', model: 'sim-chat', systemPrompt: 'You test.' })).body.data
      .id;
  });

  /** Of many requests, those that were not refused as they must be. */
  async function wrongOnes(
    path: string,
    cases: readonly (readonly [body: object, named: string])[],
    nameIn: (body: Record<string, any>) => unknown, // oxlint-disable-line typescript/no-explicit-any
  ): Promise<unknown[]> {
    const wrong: unknown[] = [];
    const remaining = [...cases];
    const ask = async (): Promise<void> => {
      for (let next = remaining.pop(); next; next = remaining.pop()) {
        const [body, named] = next;
        const answer = await key.raw('POST', path, body);
        const got = [answer.status, nameIn(answer.body)];
        if (answer.status !== 400 || got[1] !== named) wrong.push({ body, named, got, message: answer.body.message });
      }
    };
    await Promise.all([ask(), ask(), ask(), ask()]);
    return wrong;
  }
  const casesOf = (base: object, table: Table): [object, string][] =>
    table.flatMap(([path, values, named]) =>
      values.map((value): [object, string] => [replaced(base, path, value), named ?? path]),
    );

  const paramOf = (body: Record<string, { param?: unknown; type?: unknown }>): unknown =>
    body['error']?.type === 'invalid_request_error' ? body['error'].param : 'no error of OpenAI';

  it('of Responses is refused by its name', async () => {
    const base = { model, input: [{ role: 'user', content: [{ type: 'input_text', text: 'hi' }] }] };
    const tooled = { ...base, tools: [TOOL], text: { format: { type: 'text' } } };
    const cases = [
      ...casesOf(tooled, RESPONSES),
      ...ITEMS.map(([item, path]): [object, string] => [{ ...base, input: [item, ...base.input] }, `input[0]${path}`]),
      [{ ...base, input: NUL }, 'input'] as [object, string],
      [{ ...base, input: PART({ type: 'input_image', image_url: 'ftp://a' }) }, 'input'] as [object, string],
      [{ ...base, tools: [TOOL, TOOL] }, 'tools[1].name'] as [object, string],
      [{ ...base, metadata: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [at, 'x'])) }, 'metadata'] as [
        object,
        string,
      ],
    ];
    expect(await wrongOnes('/openai/v1/responses', cases, paramOf)).toEqual([]);
  });

  it('of chat completions is refused by its name', async () => {
    const base = { model, messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] };
    const tooled = { ...base, tools: [{ type: 'function', function: NESTED }] };
    const cases = [
      ...casesOf(tooled, CHAT),
      ...CALLS.map(([message, path]): [object, string] => [
        { ...base, messages: [message, ...base.messages] },
        `messages[0]${path}`,
      ]),
      [{ ...base, messages: PART({ type: 'image_url', image_url: { url: 'ftp://a' } }) }, 'messages'] as [
        object,
        string,
      ],
    ];
    expect(await wrongOnes('/openai/v1/chat/completions', cases, paramOf)).toEqual([]);
  });

  it('of AG-UI is refused by its name', async () => {
    const user = { id: '1', role: 'user', content: [{ type: 'text', text: 'hi' }] };
    const base = {
      threadId: ID,
      runId: ID,
      messages: [user],
      tools: [NESTED],
      context: [{ description: 'a', value: 'b' }],
    };
    const resume = [{ interruptId: ID, status: 'resolved', payload: { selectedOptionIds: [] } }];
    const cases = [
      ...casesOf(
        base,
        AG_UI.filter(([path]) => !path.startsWith('resume[')),
      ),
      ...casesOf(
        { ...base, resume },
        AG_UI.filter(([path]) => path.startsWith('resume[')),
      ),
      ...RUN_MESSAGES.map(([message, path]): [object, string] => [
        { ...base, messages: [{ id: '0', ...message }, user] },
        `messages[0]${path}`,
      ]),
    ];
    const pathIn = (body: { details?: { path: string }[] }): unknown => body.details?.[0]?.path;
    expect(await wrongOnes(`/ag-ui/${model}`, cases, pathIn)).toEqual([]);
  });
});
