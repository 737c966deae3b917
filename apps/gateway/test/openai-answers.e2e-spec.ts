import OpenAI, { type APIError } from 'openai';
import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';

/** Metadata of OpenAI responses: usage, input and counts. */
const platform = usePlatform();
const PARAMETERS = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const WEATHER = { type: 'function' as const, name: 'get_weather', parameters: PARAMETERS, strict: false };
const CALL = '@@reply Let me look.\n@@tool get_weather {"city":"Oslo"}\n@@reply It is {{tool}}.';
const ASK =
  '@@tool ask_user {"kind":"single_choice","prompt":"Which?","options":["red","blue"]}\n@@reply Noted {{tool}}.';

let space: TestSpace;
let openai: OpenAI;

beforeAll(async () => {
  space = await platform.newSpace();
  openai = new OpenAI({
    baseURL: `${platform.url}/openai/v1`,
    apiKey: (await space.key({ scopes: ['*', 'approvals:answer'] })).credential,
  });
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

describe('a refusal by the model itself', () => {
  it('is not tried again by the client, as a failure of the upstream is', async () => {
    const model = await agent();
    const failed = (work: Promise<unknown>): Promise<APIError> =>
      work.catch((error: unknown) => error) as Promise<APIError>;
    const message = async (input: string): Promise<(string | null | undefined)[]> => {
      const messages = [{ role: 'user' as const, content: input }];
      const request = [openai.responses.create({ model, input }), openai.chat.completions.create({ model, messages })];
      return Promise.all(request.map(async (work) => (await failed(work)).headers?.get('x-should-retry')));
    };
    openai.maxRetries = 0;
    expect(await message('@@error 400 Too long.')).toEqual(['false', 'false']);
    expect(await message('@@error 500')).toEqual([null, null]);
    openai.maxRetries = 2;
  });
});

describe('an answer that did not fit its schema', () => {
  it('is void in the stream of its response, and wherever that is read again', async () => {
    const format = { type: 'json_schema' as const, name: 'place', schema: PARAMETERS as Record<string, unknown> };
    const [shown, ended] = [new Map<string, string>(), [] as OpenAI.Responses.Response[]];
    const request = { model: await agent(), input: '@@think hm\n@@reply no JSON', text: { format } };
    for await (const event of await openai.responses.create({ ...request, stream: true })) {
      if (event.type === 'response.output_text.delta')
        shown.set(event.item_id, (shown.get(event.item_id) ?? '') + event.delta);
      if (event.type === 'response.output_item.done' && event.item.type === 'message')
        if (event.item.status === 'incomplete') shown.delete(event.item.id);
      if (event.type === 'response.completed') ended.push(event.response);
    }
    const [{ id } = { id: '' }] = ended;
    const read = await openai.responses.retrieve(id);
    expect(JSON.parse(read.output_text)).toEqual({ city: expect.any(String) });
    expect([...shown.values()].join('')).toBe(read.output_text);
    expect(ended[0]?.output).toEqual(read.output);
  });

  it('is no part of a chat completion, which is the JSON alone, without a word beside a call', async () => {
    const fields = [{ name: 'n', type: 'integer' as const }];
    const datasetId = (await space.owner.post('/datasets', { name: 'd', schema: { fields } })).body.data.id as string;
    const own = await agent({ tools: ['query_dataset'] });
    const look = `@@reply Let me look.\n@@tool query_dataset ${JSON.stringify({ datasetId })}\n@@reply no JSON`;
    const format = { name: 'place', schema: PARAMETERS as Record<string, unknown> };
    const response_format = { type: 'json_schema' as const, json_schema: format };
    const body = { model: own, messages: [{ role: 'user' as const, content: look }], response_format };
    const whole = await openai.chat.completions.create(body);
    expect(JSON.parse(whole.choices[0]?.message.content ?? '')).toEqual({ city: expect.any(String) });
    const askOnce = async (request: Omit<typeof body, 'response_format'>, name: string): Promise<string> => {
      let text = '';
      const keyed = { headers: { 'Idempotency-Key': name } };
      for await (const { choices } of await openai.chat.completions.create({ ...request, stream: true }, keyed))
        text += choices[0]?.delta.content ?? '';
      return text;
    };
    for (const _time of ['first', 'again'])
      expect(JSON.parse(await askOnce(body, own))).toEqual({ city: expect.any(String) });
    // The schema may be the agent's own.
    const settled = await agent({ responseSchema: PARAMETERS });
    const plain = { model: settled, messages: [{ role: 'user' as const, content: '@@reply no JSON' }] };
    for (const _time of ['first', 'again'])
      expect(JSON.parse(await askOnce(plain, settled))).toEqual({ city: expect.any(String) });
  });
});

describe('a response', () => {
  it('tells what it was asked with: the outputs of its client, and no others', async () => {
    const fields = [{ name: 'n', type: 'integer' as const }];
    const datasetId = (await space.owner.post('/datasets', { name: 'd', schema: { fields } })).body.data.id as string;
    const own = await agent({ tools: ['query_dataset', 'ask_user'], approvals: [{ tool: 'get_weather' }] });
    const input = [`@@tool query_dataset ${JSON.stringify({ datasetId })}`, ASK, CALL].join('\n');
    const request = await openai.responses.create({ model: own, input, tools: [WEATHER] });
    const [question] = callsIn(request);
    const { options } = JSON.parse(question?.arguments ?? '') as { options: { id: string }[] };
    const chosen = { selectedOptionIds: [options[1]?.id ?? ''], otherText: null };
    const pending = await openai.responses.create({ model: own, input: [answer(question, chosen)] });
    const [approval] = callsIn(pending);
    const approved = await openai.responses.create({ model: own, input: [answer(approval, 'approve')] });
    const [call] = callsIn(approved);
    const done = await openai.responses.create({ model: own, input: [answer(call, 'mild')] });
    expect(done.id).toBe(`${request.id}_4`);
    // Others have spoken since.
    await openai.responses.create({ model: own, input: 'and now?', previous_response_id: done.id });
    const listed = async (id: string): Promise<unknown[]> =>
      (await openai.responses.inputItems.list(id)).data.map((item) =>
        item.type === 'function_call_output' ? [item.call_id, item.output] : item.type,
      );
    expect(await listed(request.id)).toEqual(['message']);
    expect(await listed(pending.id)).toEqual([[question?.call_id, JSON.stringify(chosen)]]);
    const granted = JSON.stringify({ selectedOptionIds: ['approve'], otherText: null });
    expect(await listed(approved.id)).toEqual([[approval?.call_id, granted]]);
    expect(await listed(done.id)).toEqual([[call?.call_id, 'mild']]);
    // Words of a user are a part of the transcript.
    const caller = await space.key({ scopes: ['agents:call'] });
    const read = (by: Client, id: string): Promise<{ status: number }> =>
      by.raw('GET', `/openai/v1/responses/${id}/input_items`, undefined);
    expect((await read(caller, request.id)).status).toBe(403);
    const reader = await space.key({ scopes: ['sessions:read'] });
    for (const { id } of [request, done]) expect((await read(reader, id)).status).toBe(200);
    // A response that there never was has nothing to read, to follow or to cancel.
    const never = `${request.id}_5`;
    await expect(openai.responses.retrieve(never)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(openai.responses.retrieve(never, { stream: true })).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(openai.responses.cancel(never)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(openai.responses.inputItems.list(never)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    const waiting = await openai.responses.create({ model: own, input: ASK });
    await expect(openai.responses.retrieve(`${waiting.id}_2`)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    const running = await openai.responses.create({ model: own, input: '@@delay 300\n@@tokens 200', background: true });
    await expect(openai.responses.cancel(`${running.id}_2`)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    expect((await openai.responses.retrieve(running.id)).status).toBe('in_progress');
    await openai.responses.cancel(running.id);
  });

  it('is there from the moment that one of several outputs was given, before its turn goes on', async () => {
    const own = await agent();
    const input = '@@tool get_weather {"city":"Oslo"}\n@@tool get_weather {"city":"Rome"}\n@@reply It is {{tool}}.';
    const [oslo, rome] = callsIn(await openai.responses.create({ model: own, input, tools: [WEATHER] }));
    const given = { model: own, input: [answer(oslo, 'cold')] };
    const waiting = await openai.responses.create({ ...given, background: true });
    for (const { status, output } of [waiting, await openai.responses.retrieve(waiting.id)])
      expect([['queued', 'in_progress'].includes(status ?? ''), output]).toEqual([true, []]);
    const listed = async (): Promise<unknown[]> => (await openai.responses.inputItems.list(waiting.id)).data;
    await until(async () => (await listed()).length === 1);
    expect(await listed()).toMatchObject([{ call_id: oslo?.call_id, output: 'cold' }]);
    const done = await openai.responses.create({ model: own, input: [answer(rome, 'warm')] });
    expect([done.id, done.status]).toEqual([waiting.id, 'completed']);
    expect((await openai.responses.retrieve(waiting.id)).output_text).toBe(done.output_text);
    // Its client reads them page by page, the newest first unless it says otherwise.
    for (const [order, calls] of [
      ['asc', [oslo, rome]],
      ['desc', [rome, oslo]],
    ] as const) {
      const found: unknown[] = [];
      for await (const item of openai.responses.inputItems.list(done.id, { limit: 1, order }))
        if (item.type === 'function_call_output') found.push(item.call_id);
      expect(found).toEqual(calls.map((call) => call?.call_id));
    }
    for (const [query, param] of [
      [{ limit: 0 }, 'limit'],
      [{ limit: 101 }, 'limit'],
      [{ limit: 'x' }, 'limit'],
      [{ order: 'up' }, 'order'],
      [{ after: 'in_x' }, 'after'],
    ] as const)
      await expect(openai.responses.inputItems.list(done.id, query as never)).rejects.toMatchObject({
        status: 400,
        param,
      });
  });

  it('is refused at once where a call that it goes on after has no output', async () => {
    const model = await agent();
    const input = '@@tool get_weather {"city":"Oslo"}\n@@tool get_weather {"city":"Rome"}\n@@reply It is {{tool}}.';
    const [oslo, rome] = callsIn(await openai.responses.create({ model, input, tools: [WEATHER] }));
    const given = { model, input: [answer(oslo, 'cold')] };
    const message = expect.stringContaining(`No tool output found for function call ${rome?.call_id}`) as string;
    for (const stream of [false, true])
      await expect(openai.responses.create({ ...given, stream })).rejects.toMatchObject({
        status: 400,
        param: 'input',
        message,
      });
    const both = { model, input: [answer(oslo, 'cold'), answer(rome, 'warm')] };
    const done = await openai.responses.create(both);
    expect(done.output_text).toContain('warm');
    // Asked again, it is told again.
    expect((await openai.responses.create(both)).output_text).toBe(done.output_text);

    const tools = [{ type: 'function' as const, function: { name: 'get_weather', parameters: PARAMETERS } }];
    const user = { role: 'user' as const, content: input };
    const request = (await openai.chat.completions.create({ model, messages: [user], tools })).choices[0]?.message;
    const outputs = (request?.tool_calls ?? []).map(({ id }) => ({
      role: 'tool' as const,
      tool_call_id: id,
      content: 'mild',
    }));
    expect(outputs).toHaveLength(2);
    const chat = (some: typeof outputs) =>
      openai.chat.completions.create({ model, messages: [user, ...(request ? [request] : []), ...some], tools });
    await expect(chat(outputs.slice(1))).rejects.toMatchObject({ status: 400, param: 'messages' });
    expect((await chat(outputs)).choices[0]?.message.content).toContain('mild');
  });

  it('that is not stored is refused where it refers to an item of another one', async () => {
    const model = await agent();
    const { output } = await openai.responses.create({ model, input: '@@reply One.' });
    const input: OpenAI.Responses.ResponseInput = [
      { type: 'item_reference', id: output[0]?.id ?? '' },
      { role: 'user', content: 'and?' },
    ];
    await expect(openai.responses.create({ model, input, store: false })).rejects.toMatchObject({
      status: 400,
      param: 'input[0]',
      message: expect.stringContaining('store') as string,
    });
    expect((await openai.responses.create({ model, input })).status).toBe('completed');
  });

  it('takes an answer in the words of its user, also where they look like something else', async () => {
    const own = await agent({ tools: ['ask_user'] });
    const form = { kind: 'single_choice', prompt: 'Which?', options: ['red', 'blue'], allowOther: true };
    const input = `@@tool ask_user ${JSON.stringify(form)}\n@@reply Noted {{tool}}.`;
    for (const words of ['42', 'approve']) {
      const [question] = callsIn(await openai.responses.create({ model: own, input }));
      const noted = await openai.responses.create({ model: own, input: [answer(question, words)] });
      expect(noted.output_text).toContain(`"otherText":"${words}"`);
    }
  });

  it('goes on after items of its own conversation, and of no other', async () => {
    const model = await agent();
    const [first, stranger] = [
      await openai.responses.create({ model, input: '@@reply One.' }),
      await openai.responses.create({ model, input: '@@reply Other.' }),
    ];
    const given = ({ output }: OpenAI.Responses.Response): OpenAI.Responses.ResponseInput =>
      [...output, { role: 'user', content: 'and?' }] as OpenAI.Responses.ResponseInput;
    const conversation = first.conversation?.id ?? '';
    for (const location of [{ conversation }, { previous_response_id: first.id }]) {
      const refused = openai.responses.create({ model, input: given(stranger), ...location });
      await expect(refused).rejects.toMatchObject({ status: 400, param: 'input' });
    }
    const second = await openai.responses.create({ model, input: given(first), conversation });
    expect(second.conversation).toEqual(first.conversation);
    // A copy of it has them as well.
    const branch = await openai.responses.create({ model, input: 'else?', previous_response_id: first.id });
    expect(branch.conversation).not.toEqual(first.conversation);
    const more = { model, input: given(first), previous_response_id: branch.id };
    expect((await openai.responses.create(more)).conversation).toEqual(branch.conversation);
  });

  it('never runs twice under one key, which is of its route, and says that it is told again', async () => {
    const own = await agent();
    const keyed = { headers: { 'Idempotency-Key': `once-${own}` } };
    const chat = (stream = false): Promise<Response> =>
      openai.chat.completions
        .create({ model: own, messages: [{ role: 'user', content: '@@reply two' }], stream }, keyed)
        .asResponse();
    const respond = (input = '@@reply one') => openai.responses.create({ model: own, input }, keyed);
    const first = await respond().withResponse();
    expect(first.response.headers.get('idempotency-replayed')).toBeNull();
    const again = await respond().withResponse();
    expect([again.data.id, again.response.headers.get('idempotency-replayed')]).toEqual([first.data.id, 'true']);
    await expect(respond('@@reply other')).rejects.toBeInstanceOf(OpenAI.ConflictError);
    const output = [await chat(), await chat(), await chat(true)];
    expect(output.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true', 'true']);
    // The words of other protocols are not those of ours.
    expect(output[2]?.headers.get('x-service-stream-protocol')).toBeNull();
    expect(await output[2]?.text()).toContain('two');
    const bad = { headers: { 'Idempotency-Key': 'x'.repeat(256) } };
    await expect(openai.responses.create({ model: own, input: 'hi' }, bad)).rejects.toBeInstanceOf(
      OpenAI.BadRequestError,
    );
  });
});
