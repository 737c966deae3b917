import OpenAI from 'openai';
import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const PARAMETERS = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
} as const;
const WEATHER = { type: 'function' as const, name: 'get_weather', parameters: PARAMETERS, strict: false };
const CALL = '@@reply Let me look.\n@@tool get_weather {"city":"Oslo"}\n@@reply It is {{tool}}.';
const ASK =
  '@@tool ask_user {"kind":"single_choice","prompt":"Which?","options":["red","blue"]}\n@@reply Noted {{tool}}.';

let space: TestSpace;
let key: Client;
let model: string;
let openai: OpenAI;

beforeAll(async () => {
  space = await platform.newSpace();
  key = await space.key({ scopes: ['*', 'approvals:answer'] });
  openai = new OpenAI({ baseURL: `${platform.url}/openai/v1`, apiKey: key.credential });
  model = await agent({ tools: ['ask_user'] });
});

const agent = async (more: object = {}): Promise<string> =>
  (await space.owner.post('/agents', { name: 'A', model: 'sim-chat', systemPrompt: 'You test.', ...more })).body.data
    .id;

type Called = OpenAI.Responses.ResponseFunctionToolCall;
const callsIn = ({ output }: OpenAI.Responses.Response): Called[] =>
  output.filter((item): item is Called => item.type === 'function_call');
const answer = (call: Called | undefined, output: unknown): OpenAI.Responses.ResponseInputItem.FunctionCallOutput => ({
  type: 'function_call_output',
  call_id: call?.call_id ?? '',
  output: typeof output === 'string' ? output : JSON.stringify(output),
});
const ledgerOf = async (agentId: string): Promise<number> => {
  const { body } = await space.owner.get('/usage?groupBy=agent');
  return (body.data as { agent: string; tokens: number }[]).find((row) => row.agent === agentId)?.tokens ?? 0;
};

describe('the client of OpenAI, over Responses', () => {
  it('finds the agents that it may call', async () => {
    const ids = [];
    for await (const found of openai.models.list()) ids.push(found.id);
    expect(ids).toContain(model);
    expect(await openai.models.retrieve(model)).toMatchObject({ id: model, object: 'model', name: 'A' });
    await expect(openai.models.retrieve('gpt-5')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  it('finds with a limited key what the key may call, and with answers without end no turn', async () => {
    const limited = await space.owner.post('/api-keys', { name: 'one', limits: { agents: [model] } });
    expect(limited.status).toBe(201);
    const one = new OpenAI({ baseURL: openai.baseURL, apiKey: limited.body.data.key });
    await agent();
    const ids = [];
    for await (const found of one.models.list()) ids.push(found.id);
    expect(ids).toEqual([model]);
    const [call] = callsIn(await openai.responses.create({ model, input: CALL, tools: [WEATHER] }));
    const message = answer(call, 'sun');
    const many = openai.responses.create({ model, input: Array.from({ length: 300 }, () => message) });
    await expect(many).rejects.toMatchObject({ status: 400, message: expect.stringContaining('at most 256') });
    const twice = await openai.responses.create({ model, input: [message, { ...message, output: 'rain' }] });
    expect(twice.output_text).toBe('It is sun.');
  });

  it('talks, goes on with the conversation in both ways, and is charged what the ledger says', async () => {
    const own = await agent();
    const first = await openai.responses.create({ model: own, input: '@@reply One.', metadata: { a: 'b' } });
    expect(first).toMatchObject({ status: 'completed', output_text: 'One.', metadata: { a: 'b' }, model: own });
    const second = await openai.responses.create({ model: own, input: '@@reply Two.', previous_response_id: first.id });
    expect(second.conversation).toEqual(first.conversation);
    const third = await openai.responses.create({
      model: own,
      input: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'input_text', text: '@@reply Three.' }] },
      ],
      conversation: first.conversation?.id ?? '',
    });
    expect(third.output_text).toBe('Three.');
    const sessionId = first.conversation?.id.slice(5) ?? '';
    const { data } = (await space.owner.get(`/agents/sessions/${sessionId}/messages`)).body;
    expect(data.map(({ role }: { role: string }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
    const used = [first, second, third].reduce((sum, { usage }) => sum + (usage?.total_tokens ?? 0), 0);
    await until(async () => (await ledgerOf(own)) === used);
    const items = await openai.responses.inputItems.list(first.id);
    expect(items.data).toMatchObject([{ role: 'user', content: [{ type: 'input_text', text: '@@reply One.' }] }]);
  });

  it('goes on after an older answer in a copy of the conversation that ends there', async () => {
    const own = await agent();
    const bodyOf = (words: string, more: object = {}): Promise<OpenAI.Responses.Response> =>
      openai.responses.create({ model: own, input: `@@reply ${words}`, ...more });
    const first = await bodyOf('One.');
    const second = await bodyOf('Two.', { previous_response_id: first.id });
    const keyed = { headers: { 'Idempotency-Key': `branch-${first.id}` } };
    const branch = (): Promise<OpenAI.Responses.Response> =>
      openai.responses.create({ model: own, input: '@@reply Other.', previous_response_id: first.id }, keyed);
    const other = await branch();
    expect(other.conversation).not.toEqual(first.conversation);
    // The same request again is the same answer: no second copy.
    expect(await branch()).toMatchObject({ id: other.id, conversation: other.conversation });
    const words = async ({ conversation }: OpenAI.Responses.Response): Promise<string[]> =>
      (await space.owner.get(`/agents/sessions/${conversation?.id.slice(5) ?? ''}/messages`)).body.data
        .filter(({ role }: { role: string }) => role === 'assistant')
        .map(({ content }: { content: { text: string }[] }) => content[0]?.text);
    expect(await words(other)).toEqual(['One.', 'Other.']);
    expect(await words(second)).toEqual(['One.', 'Two.']);
    const sessions = (await space.owner.get(`/agents/sessions?agentId=${own}`)).body.data;
    expect(sessions).toHaveLength(2);
    // Nor where it is sent twice at the same moment, and none for what is refused.
    const at = { 'Idempotency-Key': `twice-${first.id}` };
    const twin = { model: own, input: '@@reply Twin.', previous_response_id: first.id };
    const [one, same] = await Promise.all([
      openai.responses.create(twin, { headers: at }),
      openai.responses.create(twin, { headers: at }),
    ]);
    expect(same.conversation).toEqual(one.conversation);
    const inOtherSpace = openai.responses.create({ ...twin, model: await agent() });
    await expect(inOtherSpace).rejects.toMatchObject({ status: 404 });
    expect((await space.owner.get(`/agents/sessions?agentId=${own}`)).body.data).toHaveLength(3);
    // The newest answers of both go on where they are; items that are given back name their place as well.
    expect((await bodyOf('Three.', { previous_response_id: second.id })).conversation).toEqual(first.conversation);
    expect((await bodyOf('Third.', { previous_response_id: other.id })).conversation).toEqual(other.conversation);
    const given = [...other.output, { role: 'user', content: '@@reply Again.' }] as never;
    const edited = await openai.responses.create({ model: own, input: given });
    expect(await words(edited)).toEqual(['One.', 'Other.', 'Again.']);
  });

  it('gives metadata back with every telling of its answer', async () => {
    const metadata = { ticket: '7', who: 'Ann' };
    const made = await openai.responses.create({ model, input: CALL, tools: [WEATHER], metadata, background: true });
    expect(made.metadata).toEqual(metadata);
    const first = await until(async () => {
      const read = await openai.responses.retrieve(made.id);
      return read.status === 'completed' ? read : undefined;
    });
    expect(first.metadata).toEqual(metadata);
    const input = [answer(callsIn(first)[0], 'cold')];
    // An answer continues its turn. Its metadata must equal the stored metadata, or it is refused.
    const otherwise = openai.responses.create({ model, input, metadata: { ticket: '8' } });
    await expect(otherwise).rejects.toMatchObject({ status: 400, param: 'metadata' });
    const second = await openai.responses.create({ model, input, metadata: { who: 'Ann', ticket: '7' } });
    expect(second.metadata).toEqual(metadata);
    expect((await openai.responses.retrieve(second.id)).metadata).toEqual(metadata);
    expect((await openai.responses.create({ model, input })).metadata).toEqual(metadata);
    for (const [body, param] of [
      [{ previous_response_id: (await openai.responses.create({ model, input: 'hi' })).id }, 'previous_response_id'],
      [{ conversation: `conv_${crypto.randomUUID()}` }, 'conversation'],
      [{ model: await agent() }, 'model'],
    ] as const) {
      const refused = openai.responses.create({ model, input, ...body });
      await expect(refused).rejects.toMatchObject({ status: 400, param });
    }
  });

  it('streams, and goes on after every event that it may have lost', async () => {
    const whole: OpenAI.Responses.ResponseStreamEvent[] = [];
    const input = '@@think hm\n@@reply one two three';
    for await (const event of await openai.responses.create({ model, input, stream: true })) whole.push(event);
    expect(whole.map((event) => event.sequence_number)).toEqual(whole.map((_, at) => at));
    const last = whole.at(-1);
    if (last?.type !== 'response.completed') throw new Error(`it ended with ${String(last?.type)}`);
    const { id } = last.response;
    expect((await openai.responses.retrieve(id)).output_text).toBe('one two three');
    for (const at of whole.keys()) {
      const rest: OpenAI.Responses.ResponseStreamEvent[] = [];
      for await (const event of await openai.responses.retrieve(id, { stream: true, starting_after: at }))
        rest.push(event);
      const output = [...whole.slice(0, at + 1), ...rest];
      expect(output.map(({ type, sequence_number: n }) => [type, n])).toEqual(
        whole.map(({ type, sequence_number: n }) => [type, n]),
      );
      const deltas = output.map((event) => (event.type === 'response.output_text.delta' ? event.delta : '')).join('');
      expect(deltas).toBe('one two three');
    }
  });

  it('runs a tool of its own, known to this turn alone', async () => {
    const first = await openai.responses.create({ model, input: CALL, tools: [WEATHER] });
    const [call] = callsIn(first);
    expect(first.output_text).toBe('Let me look.');
    expect(call).toMatchObject({ name: 'get_weather', arguments: '{"city":"Oslo"}' });
    const outputs = [answer(call, 'cold')];
    const second = await openai.responses.create({ model, input: outputs, previous_response_id: first.id });
    expect(second.id).toBe(`${first.id}_2`);
    expect(second.output_text).toContain('cold');
    // Sent again, and without its response: the same answer.
    expect((await openai.responses.create({ model, input: outputs })).output_text).toBe(second.output_text);
    expect((await openai.responses.retrieve(first.id)).output.map(({ type }) => type)).toEqual([
      'message',
      'function_call',
    ]);
  });

  it('answers a question and an approval', async () => {
    const request = await openai.responses.create({ model, input: ASK });
    const [question] = callsIn(request);
    expect(question?.name).toBe('ask_user');
    const { options } = JSON.parse(question?.arguments ?? '') as { options: { id: string }[] };
    const chosen = { selectedOptionIds: [options[1]?.id], otherText: null };
    expect((await openai.responses.create({ model, input: [answer(question, chosen)] })).output_text).toContain('blue');

    const guarded = await agent({ approvals: [{ tool: 'get_weather' }] });
    const pending = await openai.responses.create({ model: guarded, input: CALL, tools: [WEATHER] });
    const [approval] = callsIn(pending);
    expect(JSON.parse(approval?.arguments ?? '')).toMatchObject({ purpose: 'approval' });
    const approved = await openai.responses.create({ model: guarded, input: [answer(approval, 'approve')] });
    const [call] = callsIn(approved);
    expect(call?.name).toBe('get_weather');
    expect((await openai.responses.create({ model: guarded, input: [answer(call, 'mild')] })).output_text).toContain(
      'mild',
    );
  });

  it('works in the background, and is cancelled at the model', async () => {
    const slow = await openai.responses.create({ model, input: '@@delay 300\n@@tokens 200', background: true });
    expect(['queued', 'in_progress']).toContain(slow.status);
    await until(async () => (await openai.responses.retrieve(slow.id)).output_text !== '');
    expect((await openai.responses.cancel(slow.id)).status).toBe('cancelled');
    await until(async () => (await openai.responses.retrieve(slow.id)).status === 'cancelled');
    const turnId = slow.id.slice(5);
    expect((await space.owner.get(`/agents/${model}/turns/${turnId}`)).body.data.status).toBe('CANCELLED');
    const quick = await openai.responses.create({ model, input: '@@reply done', background: true });
    await until(async () => (await openai.responses.retrieve(quick.id)).status === 'completed');
    // However often it was asked for meanwhile, by several at once: each word once.
    const long = await openai.responses.create({ model, input: '@@delay 60\n@@tokens 60', background: true });
    const request = (): Promise<OpenAI.Responses.Response[]> =>
      Promise.all([openai.responses.retrieve(long.id), openai.responses.retrieve(long.id)]);
    const done = await until(async () => {
      const both = await request();
      return both.every(({ status }) => status === 'completed') ? both : undefined;
    });
    for (const { output_text: text } of done) expect(text.split(' ').filter((word) => word !== '')).toHaveLength(60);
    for (const read of await request()) expect(read.output).toEqual(done[0]?.output);
  });

  it('keeps nothing where it says so, gives JSON where it asks for it, and is cut where it says', async () => {
    const stateless = await openai.responses.create({ model, input: '@@reply gone', store: false });
    expect(stateless).toMatchObject({ output_text: 'gone', conversation: null });
    const schema = { ...PARAMETERS } as Record<string, unknown>;
    const format = { type: 'json_schema' as const, name: 'place', schema };
    const json = await openai.responses.create({ model, input: 'where?', text: { format } });
    expect(JSON.parse(json.output_text)).toEqual({ city: expect.any(String) });
    const cut = await openai.responses.create({ model, input: '@@reply a b c d e f', max_output_tokens: 3 });
    expect(cut).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } });
  });

  it('is refused in its own classes, by the name of the field', async () => {
    const refused = async (body: object): Promise<unknown> =>
      openai.responses.create({ model, input: 'hi', ...body } as never).catch((error: unknown) => error);
    for (const [body, param] of [
      [{ tools: [{ type: 'web_search' }] }, 'tools[0].type'],
      [{ tools: [{ ...WEATHER, name: 'ask_user' }] }, 'tools[0].name'],
      [{ tool_choice: 'required' }, 'tool_choice'],
      [{ parallel_tool_calls: false }, 'parallel_tool_calls'],
      [{ max_tool_calls: 1 }, 'max_tool_calls'],
      [{ reasoning: { effort: 'high' } }, 'reasoning.effort'],
      [{ text: { format: { type: 'json_object' } } }, 'text.format.type'],
      [{ input: [{ type: 'computer_call_output' }] }, 'input[0].type'],
      [{ input: [] }, 'input'],
      [{ unheard_of: 1 }, 'unheard_of'],
      [{ store: false, conversation: 'conv_x' }, 'store'],
      [{ previous_response_id: 'resp_x', conversation: 'conv_x' }, 'conversation'],
      [{ temperature: 3 }, 'temperature'],
    ] as const) {
      const error = await refused(body);
      expect(error).toBeInstanceOf(OpenAI.BadRequestError);
      expect(error).toMatchObject({ param, code: 'VALIDATION_ERROR', type: 'invalid_request_error' });
    }
    expect(await refused({ previous_response_id: 'resp_x' })).toBeInstanceOf(OpenAI.NotFoundError);
    expect(await refused({ model: 'gpt-5' })).toBeInstanceOf(OpenAI.NotFoundError);
    expect(
      await refused({ input: [answer(undefined, 'x')].map((item) => ({ ...item, call_id: 'call_x' })) }),
    ).toBeInstanceOf(OpenAI.NotFoundError);
    expect(await refused({ input: '@@error 500' })).toBeInstanceOf(OpenAI.InternalServerError);
    const stranger = new OpenAI({ baseURL: openai.baseURL, apiKey: 'x'.repeat(40), maxRetries: 0 });
    await expect(stranger.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
    const other = await (await platform.newSpace()).key();
    const foreign = new OpenAI({ baseURL: openai.baseURL, apiKey: other.credential });
    const mine = await openai.responses.create({ model, input: 'hi' });
    await expect(foreign.responses.retrieve(mine.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });
});

describe('the client of OpenAI, over chat completions', () => {
  const tools = [{ type: 'function' as const, function: { name: 'get_weather', parameters: { ...PARAMETERS } } }];

  it('is told a history, answers in one piece and in a stream, and keeps no session', async () => {
    const messages = [
      { role: 'system' as const, content: 'Be brief.' },
      { role: 'user' as const, content: 'hello' },
      { role: 'assistant' as const, content: 'hi' },
      { role: 'user' as const, content: '@@reply one two' },
    ];
    const whole = await openai.chat.completions.create({ model, messages });
    expect(whole.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { role: 'assistant', content: 'one two' },
    });
    const stream = await openai.chat.completions.create({
      model,
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = '';
    let usage;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      usage = chunk.usage ?? usage;
    }
    expect(text).toBe('one two');
    expect(usage).toEqual(whole.usage);
  });

  it('is told its answer whole where it asks again with its key, is cancelled by its name, and is charged', async () => {
    const own = await agent();
    const askOnce = async (): Promise<{ id: string; pieces: string[]; tokens: number }> => {
      const body = { model: own, messages: [{ role: 'user' as const, content: '@@reply one two' }] };
      const more = { stream: true as const, stream_options: { include_usage: true } };
      const output = { id: '', pieces: [] as string[], tokens: 0 };
      const headers = { 'Idempotency-Key': `tell-${own}` };
      for await (const chunk of await openai.chat.completions.create({ ...body, ...more }, { headers })) {
        output.id = chunk.id;
        const piece = chunk.choices[0]?.delta.content ?? '';
        if (piece !== '') output.pieces.push(piece);
        output.tokens = chunk.usage?.total_tokens ?? output.tokens;
      }
      return output;
    };
    const first = await askOnce();
    expect(first.pieces.join('')).toBe('one two');
    expect(await askOnce()).toEqual({ ...first, pieces: ['one two'] });
    await until(async () => (await ledgerOf(own)) === first.tokens);

    const slow = { model: own, messages: [{ role: 'user' as const, content: '@@delay 300\n@@tokens 200' }] };
    const stream = await openai.chat.completions.create({ ...slow, stream: true });
    let finish: string | null | undefined;
    let cancelled: Promise<unknown> | undefined;
    const read = async (): Promise<void> => {
      for await (const { id, choices } of stream) {
        cancelled ??= openai.responses.cancel(id.replace('chatcmpl-', 'resp_'));
        finish = choices[0]?.finish_reason ?? finish;
      }
    };
    // The output so far is not a complete answer.
    await expect(read()).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await cancelled).toMatchObject({ status: 'cancelled' });
    expect(finish).toBeUndefined();
  });

  it('runs tools in the turn that waits for them, and tells of others as history', async () => {
    const user = { role: 'user' as const, content: CALL };
    const first = await openai.chat.completions.create({ model, messages: [user], tools });
    const [choice] = first.choices;
    expect(choice?.finish_reason).toBe('tool_calls');
    const calls = choice?.message.tool_calls ?? [];
    const result = { role: 'tool' as const, tool_call_id: calls[0]?.id ?? '', content: 'cold' };
    const messages = [user, { role: 'assistant' as const, tool_calls: calls }, result];
    const second = await openai.chat.completions.create({ model, messages, tools });
    expect(second.choices[0]?.message.content).toContain('cold');
    // Sent again, its stream comes whole: words of it may have been void when they were first told.
    const pieces: string[] = [];
    for await (const { choices } of await openai.chat.completions.create({ model, messages, tools, stream: true }))
      if (choices[0]?.delta.content) pieces.push(choices[0].delta.content);
    expect(pieces).toEqual([second.choices[0]?.message.content]);
    const foreign = calls.map((call) => ({ ...call, id: 'call_of_somebody' }));
    const output = await openai.chat.completions.create({
      model,
      messages: [user, { role: 'assistant', tool_calls: foreign }, { ...result, tool_call_id: 'call_of_somebody' }],
      tools,
    });
    expect(output.choices[0]?.message.content).toContain('cold');
  });

  it('is refused by the name of the field', async () => {
    for (const field of ['seed', 'stop', 'functions', 'n']) {
      const body = { model, messages: [{ role: 'user', content: 'hi' }], [field]: field === 'stop' ? ['x'] : 2 };
      const error: unknown = await openai.chat.completions.create(body as never).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(OpenAI.BadRequestError);
      expect(error).toMatchObject({ param: field });
    }
  });
});
