import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const WEATHER = { type: 'function', name: 'get_weather', parameters: { type: 'object' } };

describe('a response with store: false', () => {
  let space: TestSpace;
  let key: Client;
  let model: string;
  beforeAll(async () => {
    space = await platform.newSpace();
    key = await space.key();
    model = (await space.owner.post('/agents', { name: 'A', model: 'sim-chat', systemPrompt: 'x' })).body.data.id;
  });

  const create = (body: object, headers: Record<string, string> = {}) =>
    key.raw('POST', '/openai/v1/responses', { model, store: false, ...body }, { headers });
  const turnOf = (id: string): string => /^resp_([0-9a-f-]{36})/.exec(id)?.[1] ?? '';
  /** Each way to read it, for the one who asked and for an owner. */
  const statuses = async (id: string): Promise<number[]> => {
    const turn = `/agents/${model}/turns/${turnOf(id)}`;
    const found: number[] = [];
    for (const who of [key, space.owner]) {
      found.push((await who.raw('GET', `/openai/v1/responses/${id}`)).status);
      found.push((await who.raw('GET', `/openai/v1/responses/${id}?stream=true`)).status);
      found.push((await who.raw('GET', `/openai/v1/responses/${id}/input_items`)).status);
      found.push((await who.get(turn)).status);
      found.push((await who.get(`${turn}/stream`)).status);
    }
    return found;
  };
  const expectUnreadable = async (id: string): Promise<void> => {
    expect(await statuses(id)).toEqual(Array.from({ length: 10 }, () => 404));
  };
  /** Of the rows of the turn, and of its frames: how much is left. */
  const remaining = async (id: string): Promise<object> => {
    const [row] = await platform.database.query(
      `select t.result, t.state, t.error, t.input->'contents' as contents,
         (select count(*)::int from agent.kept_frames k where k.id = t.id) as frames
       from session.turns t where t.turn_id = $1`,
      [turnOf(id)],
    );
    return row as object;
  };
  const NOTHING = { result: null, state: null, error: null, contents: null, frames: 0 };

  it('is read by its answer alone, and nothing of it is kept', async () => {
    const reply = await create({ input: '@@reply gone' });
    expect([reply.status, reply.body.status]).toEqual([200, 'completed']);
    await expectUnreadable(reply.body.id);
    await until(async () => JSON.stringify(await remaining(reply.body.id)) === JSON.stringify(NOTHING));
  });

  it('is read by its own stream alone while that lasts, and is gone with it', async () => {
    const stream = await key.rawStream('POST', '/openai/v1/responses', {
      model,
      store: false,
      stream: true,
      input: '@@reply one\n@@delay 300\n@@tokens 20',
    });
    let id = '';
    let words = '';
    for await (const { data } of stream.frames) {
      if (data.type === 'response.created') {
        id = data.response.id;
        await expectUnreadable(id);
      }
      if (data.type === 'response.output_text.delta') words += String(data.delta);
    }
    expect(words.length).toBeGreaterThan(0);
    await expectUnreadable(id);
    await until(async () => JSON.stringify(await remaining(id)) === JSON.stringify(NOTHING));
  });

  it('never runs twice under the same key, and is not told again', async () => {
    const once = { 'idempotency-key': crypto.randomUUID() };
    expect((await create({ input: '@@reply once' }, once)).status).toBe(200);
    const again = await create({ input: '@@reply once' }, once);
    expect([again.status, again.body.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
  });

  it('goes on with the outputs of its calls, in a response that is not kept either', async () => {
    const input = [{ role: 'user', content: '@@tool get_weather {"city": "Bern"}\n@@reply It is {{tool}}.' }];
    const request = await create({ input, tools: [WEATHER] });
    const call = request.body.output.find((item: { type: string }) => item.type === 'function_call');
    await expectUnreadable(request.body.id);
    const output = { type: 'function_call_output', call_id: call.call_id, output: 'mild' };
    const answered = await create({ input: [output], tools: [WEATHER] });
    expect([answered.status, answered.body.status]).toEqual([200, 'completed']);
    expect(JSON.stringify(answered.body.output)).toContain('mild');
    await expectUnreadable(answered.body.id);
    await until(async () => JSON.stringify(await remaining(request.body.id)) === JSON.stringify(NOTHING));
  });

  it('can be stopped by its id, which tells nothing of it', async () => {
    const stream = await key.rawStream('POST', '/openai/v1/responses', {
      model,
      store: false,
      stream: true,
      input: '@@delay 200\n@@tokens 2000',
    });
    let id = '';
    for await (const { data } of stream.frames) {
      if (data.type !== 'response.created') continue;
      id = data.response.id;
      const cancelled = await key.raw('POST', `/openai/v1/responses/${id}/cancel`, {});
      expect([cancelled.status, cancelled.body.status, cancelled.body.output]).toEqual([200, 'cancelled', []]);
    }
    expect((await key.raw('POST', `/openai/v1/responses/${id}/cancel`, {})).status).toBe(404);
  });
});
