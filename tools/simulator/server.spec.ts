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
    const stream = await (await post('responses', { model: 'sim-chat', input: '@@reply hi', stream: true })).text();
    expect(stream).toContain('event: response.output_text.delta');
    expect(stream.trim().split('\n\n').at(-1)).toContain('response.completed');
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
