import { Simulator, startSimulator } from './server';

describe('the simulator over HTTP', () => {
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await startSimulator();
  });
  afterAll(() => simulator.close());

  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(`${simulator.url}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const chat = (text: string, extra: object = {}): Promise<Response> =>
    post('chat/completions', { model: 'sim-chat', messages: [{ role: 'user', content: text }], ...extra });

  it('streams one word a chunk and ends with usage when asked, and [DONE]', async () => {
    const text = await (
      await chat('@@reply one two three', { stream: true, stream_options: { include_usage: true } })
    ).text();
    const events = text.trim().split('\n\n');
    expect(events.at(-1)).toBe('data: [DONE]');
    const chunks = events
      .slice(0, -1)
      .map((event) => JSON.parse(event.slice(6)) as { choices: { delta: { content?: string } }[]; usage?: object });
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content).filter(Boolean)).toEqual(['one', ' two', ' three']);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 3 } });
  });

  it('drops the connection after the tokens of a cut', async () => {
    const response = await chat('@@cut 2\n@@tokens 5', { stream: true });
    let seen = '';
    await expect(
      (async () => {
        for await (const bytes of response.body ?? []) seen += Buffer.from(bytes).toString();
      })(),
    ).rejects.toThrow();
    expect(seen).toContain('" two"');
    expect(seen).not.toContain('" red"');
    await expect(chat('@@cut 0\n@@tokens 5')).rejects.toThrow();
  });

  it('answers the errors that a script asks for before the first byte', async () => {
    const response = await chat('@@error 429', { stream: true });
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toMatchObject({ error: { type: 'rate_limit_error' } });
  });

  it.each([[[null]], [['x']], [[[]]], [[]], ['x']])('refuses %j for messages', async (messages) => {
    expect((await post('chat/completions', { model: 'sim-chat', messages })).status).toBe(400);
  });

  it('gives embeddings as numbers and as base64 that mean the same', async () => {
    const first = (await (await post('embeddings', { input: ['a', 'b'] })).json()) as {
      data: { embedding: number[] }[];
    };
    const second = (await (await post('embeddings', { input: ['a', 'b'], encoding_format: 'base64' })).json()) as {
      data: { embedding: string }[];
    };
    const bytes = Buffer.from(second.data[1]?.embedding ?? '', 'base64');
    expect([...new Float32Array(new Uint8Array(bytes).buffer)]).toEqual(first.data[1]?.embedding.map(Math.fround));
  });

  it('speaks the Responses API', async () => {
    const whole = (await (
      await post('responses', { model: 'sim-chat', input: '@@reply hi\n@@tool f {"a":1}' })
    ).json()) as { output: object[]; usage: object };
    expect(whole.output).toMatchObject([
      { type: 'message' },
      { type: 'function_call', name: 'f', arguments: '{"a":1}' },
    ]);
  });

  const eventsOf = async (input: string, extra: object = {}): Promise<{ type: string; [key: string]: unknown }[]> =>
    (await (await post('responses', { model: 'sim-chat', input, stream: true, ...extra })).text())
      .trim()
      .split('\n\n')
      .map((event) => JSON.parse(event.slice(event.indexOf('data: ') + 6)));

  it("streams every event of OpenAI's Responses API", async () => {
    const events = await eventsOf('@@reply hi you\n@@tool f {"a":1}');
    expect(events.map((event) => event.type.replace('response.', ''))).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'completed',
    ]);
    expect(events.map((event) => event['sequence_number'])).toEqual(events.map((_, index) => index));
    expect(events[9]).toMatchObject({ output_index: 1, item: { type: 'function_call', name: 'f', arguments: '' } });
    expect(events.at(-1)).toMatchObject({ response: { output: [{ type: 'message' }, { type: 'function_call' }] } });
  });

  it('ends a stream of responses that is too short for its answer as incomplete', async () => {
    const events = await eventsOf('@@tokens 9', { max_output_tokens: 2 });
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    });
  });

  interface Completion {
    choices: { index: number; text?: string; message?: { content: string }; finish_reason: string | null }[];
    usage: object;
  }
  const chunksOf = (text: string): { choices: { index: number; text?: string; delta?: { content?: string } }[] }[] =>
    text
      .trim()
      .split('\n\n')
      .slice(0, -1)
      .map((event) => JSON.parse(event.slice(6)));

  it('gives as many choices as are asked for, and counts them all', async () => {
    const whole = (await (await chat('@@reply a b', { n: 3 })).json()) as Completion;
    expect(whole.choices.map(({ index, message }) => [index, message?.content])).toEqual([
      [0, 'a b'],
      [1, 'a b'],
      [2, 'a b'],
    ]);
    expect(whole.usage).toEqual({ prompt_tokens: 3, completion_tokens: 6, total_tokens: 9 });
    const chunks = chunksOf(await (await chat('@@reply a b', { n: 2, stream: true })).text());
    for (const plan of [0, 1])
      expect(
        chunks.map(({ choices: [choice] }) => (choice?.index === plan ? choice.delta?.content : '')).join(''),
      ).toBe('a b');
    for (const n of [0, 9, 1.5, '2']) expect((await chat('x', { n })).status).toBe(400);
  });

  it('answers each prompt of the older completions on its own', async () => {
    const body = { model: 'sim-chat', prompt: ['@@reply a', '@@reply b c'], n: 2 };
    const whole = (await (await post('completions', body)).json()) as Completion;
    expect(whole.choices.map(({ index, text }) => [index, text])).toEqual([
      [0, 'a'],
      [1, 'a'],
      [2, 'b c'],
      [3, 'b c'],
    ]);
    expect(whole.usage).toEqual({ prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 });
    const chunks = chunksOf(await (await post('completions', { ...body, stream: true })).text());
    const texts = [0, 1, 2, 3].map((plan) =>
      chunks.map(({ choices: [choice] }) => (choice?.index === plan ? choice.text : '')).join(''),
    );
    expect(texts).toEqual(['a', 'a', 'b c', 'b c']);
  });

  it('cuts what is longer than the model answers, in every form', async () => {
    const prompt = '@@tokens 20000';
    const length = { choices: [{ finish_reason: 'length' }], usage: { completion_tokens: 4096 } };
    expect(await (await chat(prompt, { max_tokens: 100_000 })).json()).toMatchObject(length);
    expect(await (await post('completions', { prompt })).json()).toMatchObject(length);
    expect(await (await post('responses', { input: prompt })).json()).toMatchObject({
      status: 'incomplete',
      usage: { output_tokens: 4096 },
    });
    for (const [path, body] of [
      ['chat/completions', { messages: [{ role: 'user', content: prompt }] }],
      ['completions', { prompt }],
    ] as const)
      expect(await (await post(path, { ...body, stream: true })).text()).toContain('"finish_reason":"length"');
    expect((await eventsOf(prompt)).at(-1)?.type).toBe('response.incomplete');
  });

  it.each([
    ['completions', { prompt: [] }],
    ['completions', { prompt: [{}] }],
    ['completions', { prompt: ['a', {}] }],
    ['completions', {}],
    ['embeddings', { input: '' }],
    ['embeddings', { input: [] }],
    ['embeddings', { input: ['a', ''] }],
    ['embeddings', { input: [[]] }],
    ['embeddings', { model: 'sim-chat', input: 'a' }],
    ['chat/completions', { model: 'sim-embed', messages: [{ role: 'user', content: 'a' }] }],
    ['completions', { model: 'sim-embed', prompt: 'a' }],
    ['responses', { model: 'sim-embed', input: 'a' }],
  ])('refuses as upstreams do: %s %j', async (path, body) => {
    const response = await post(path, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { type: 'invalid_request_error', param: expect.stringMatching(/^(prompt|input|model)$/), code: null },
    });
  });

  it('echoes bytes and shows what arrived', async () => {
    const bytes = Buffer.from([0, 255, 10, 13]);
    const echoed = await fetch(`${simulator.url}/echo`, { method: 'POST', body: bytes });
    expect(Buffer.from(await echoed.arrayBuffer())).toEqual(bytes);
    expect(await (await fetch(`${simulator.url}/inspect?a=1`, { headers: { 'x-test': 'yes' } })).json()).toMatchObject({
      url: '/v1/inspect?a=1',
      headers: { 'x-test': 'yes' },
    });
  });
});
