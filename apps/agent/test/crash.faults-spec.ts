import { randomUUID } from 'node:crypto';
import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { type Client, until, usePlatform } from '@switchyard/testing';
import { AGENT, framesOf, contentsOf, STREAM, type WireFrame } from './talk';

const platform = usePlatform();

describe('a turn whose agent process is killed', () => {
  let owner: Client;

  beforeEach(async () => {
    await platform.service('agent').ready();
    owner = (await platform.newSpace()).owner;
  });

  afterAll(() => platform.service('agent').ready());

  it('goes on elsewhere, in the same stream, without a gap', async () => {
    const agentId = (await owner.post('/agents', AGENT)).body.data.id;
    const turnId = randomUUID();
    const stream = await owner.stream(
      `/agents/${agentId}/chat`,
      { ...contentsOf('@@delay 60\n@@tokens 120'), turnId },
      { headers: STREAM },
    );
    const waiting = owner.post(`/agents/${agentId}/chat`, {
      ...contentsOf('@@delay 60\n@@tokens 120'),
      turnId,
      stream: false,
    });
    const raw = [];
    let killed = false;
    for await (const frame of stream.frames) {
      raw.push(frame);
      if (!killed && frame.data.seq > 15) {
        killed = true;
        await platform.service('agent').kill('SIGKILL');
      }
    }
    const { frames, events } = framesOf(raw);
    expect(frames.map((frame) => frame.seq)).toEqual(frames.map((_, at) => at + 1));
    expect(events.at(-1)).toBe(PRODUCT_EVENTS.streamEnded);
    expect(events).toContain(PRODUCT_EVENTS.responseCompleted);
    const restart = frames.find((frame) => frame.params.data.event === PRODUCT_EVENTS.stepRestarted);
    const fromSeq = restart?.params.data.from_seq as number;
    expect(fromSeq).toBeLessThan(restart?.seq ?? 0);
    const replay = framesOf(await (await owner.stream(`/agents/${agentId}/turns/${turnId}/stream`, undefined)).all());
    expect(replay.frames).toEqual(frames);
    const isVoid = (seq: number): boolean => seq >= fromSeq && seq < (restart?.seq ?? 0);
    const valid = frames.filter(
      (frame) => frame.params.data.event === PRODUCT_EVENTS.contentDelta && !isVoid(frame.seq),
    );
    // Also for a client without a stream, which only sees that no answer has come.
    const endedAt = Date.now();
    const result = await waiting;
    expect(Date.now() - endedAt).toBeLessThan(15_000);
    expect(result.body.data.answer).toBe(valid.map((frame) => frame.params.data.delta).join(''));
  }, 300_000);

  it('ends at once when its agent is gone as well, and keeps no other turn waiting', async () => {
    const [deleted, other] = await Promise.all(
      [1, 2].map(async () => (await owner.post('/agents', AGENT)).body.data.id as string),
    );
    const [deletedTurn, otherTurn] = [randomUUID(), randomUUID()];
    const start = async (agentId: string | undefined, turnId: string) =>
      (
        await owner.stream(
          `/agents/${agentId}/chat`,
          { ...contentsOf('@@delay 60\n@@tokens 120'), turnId },
          { headers: STREAM },
        )
      ).frames[Symbol.asyncIterator]().next();
    await start(deleted, deletedTurn);
    await start(other, otherTurn);
    for (const table of ['agents', 'agent_versions'])
      await platform.database.query(`delete from agent.${table} where ${table === 'agents' ? 'id' : 'agent_id'} = $1`, [
        deleted,
      ]);
    await platform.service('agent').kill('SIGKILL');
    const turn = async (turnId: string) =>
      (
        await platform.database.query<{ status: string; error: { code: string } | null; recoveries: number }>(
          'select status, error, recoveries from session.turns where turn_id = $1',
          [turnId],
        )
      )[0];
    await until(async () => (await turn(otherTurn))?.status === 'COMPLETED');
    expect(await turn(deletedTurn)).toMatchObject({ status: 'FAILED', error: { code: 'NOT_FOUND' }, recoveries: 1 });
  }, 300_000);

  it('does not run a tool twice that may have taken effect', async () => {
    const localTools = [{ name: 'pay', description: 'pays', parameters: { type: 'object' } }];
    const agentId = (await owner.post('/agents', { ...AGENT, localTools, tools: ['query_dataset'] })).body.data.id;
    const fields = [{ name: 'n', type: 'integer' }];
    const datasetId = (await owner.post('/datasets', { name: 'd', schema: { fields } })).body.data.id;
    const turnId = randomUUID();
    const text = `@@tool pay {"amount": 5}\n@@tool query_dataset ${JSON.stringify({ datasetId })}\n@@reply paid {{tool}}`;
    const stream = await owner.stream(`/agents/${agentId}/chat`, { ...contentsOf(text), turnId }, { headers: STREAM });
    const raw = [];
    let sessionId = '';
    let callId = '';
    for await (const frame of stream.frames) {
      raw.push(frame);
      const { data } = (frame.data as WireFrame).params;
      if (data.event === PRODUCT_EVENTS.sessionStarted) sessionId = data.session_id;
      if (data.event === PRODUCT_EVENTS.localToolCall) {
        callId = data.call_id;
        await platform.service('agent').kill('SIGKILL');
        void until(
          async () => {
            const reply = await owner.post(`/agents/${agentId}/turns/${turnId}/tool-results`, {
              sessionId,
              callId,
              result: 'receipt 77',
            });
            return reply.status === 200;
          },
          { timeoutMs: 120_000, everyMs: 250 },
        );
      }
    }
    const { frames, events } = framesOf(raw);
    expect(frames.map((frame) => frame.seq)).toEqual(frames.map((_, at) => at + 1));
    expect(events.filter((event) => event === PRODUCT_EVENTS.localToolCall)).toHaveLength(1);
    expect(events.at(-1)).toBe(PRODUCT_EVENTS.streamEnded);
    const pay = frames.filter(
      (frame) => frame.params.data.event === PRODUCT_EVENTS.toolExecution && frame.params.data.name === 'pay',
    );
    expect(pay.at(-1)?.params.data).toMatchObject({ tool_call_id: callId, status: 'succeeded', result: 'receipt 77' });
  }, 300_000);
});

describe('a turn that has ended while its holder has not heard so', () => {
  it.each([
    ['chat', (sessionId: string) => ({ ...contentsOf('@@reply told'), session_id: sessionId })],
    ['execute', (sessionId: string) => ({ inputs: { query: '@@reply told', session_id: sessionId }, stream: true })],
  ])('has its last frames also when its holder dies before it has said them: %s', async (verb, bodyIn) => {
    const { owner } = await platform.newSpace();
    const agentId = (await owner.post('/agents', AGENT)).body.data.id;
    const body = bodyIn((await owner.post('/agents/sessions', { agentId })).body.data.id);
    await platform.service('agent').arm('agent.closed', 'kill');
    const output = framesOf(await (await owner.stream(`/agents/${agentId}/${verb}`, body, { headers: STREAM })).all());
    expect(output.frames.map(({ seq }) => seq)).toEqual(output.frames.map((_, at) => at + 1));
    expect(output.events.slice(-4)).toEqual([
      PRODUCT_EVENTS.contextUsage,
      PRODUCT_EVENTS.responseCompleted,
      'completed',
      PRODUCT_EVENTS.streamEnded,
    ]);
    expect(output.text).toBe('told');
    const ended = output.frames.at(-3)?.params.data;
    expect(ended.result?.answer).toBe(verb === 'execute' ? 'told' : undefined);
    const path = `/agents/${agentId}/turns/${ended.turn_id}/stream`;
    for (const replay of await Promise.all(Array.from({ length: 4 }, () => owner.stream(path))))
      expect(framesOf(await replay.all()).frames).toEqual(output.frames);
  });

  it('is not lost to the heartbeat that overtakes the answer', async () => {
    const { owner } = await platform.newSpace();
    const agentId = (await owner.post('/agents', AGENT)).body.data.id;
    // Longer than a heartbeat takes to come round: it finds the turn gone before the holder knows that it has ended it.
    await platform.service('session').arm('session.turn-closed', 'delay', { delayMs: 4_000 });
    const stream = await owner.stream(`/agents/${agentId}/chat`, contentsOf('@@reply Hello'), { headers: STREAM });
    const { events } = framesOf(await stream.all());
    expect(events).toContain(PRODUCT_EVENTS.responseCompleted);
    expect(events.at(-1)).toBe(PRODUCT_EVENTS.streamEnded);
  });
});
