import { randomUUID } from 'node:crypto';
import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { type Client, type TestSpace, expectWithin, until, usePlatform } from '@switchyard/testing';
import { AGENT, framesOf, type StreamOutput, contentsOf, STREAM } from './talk';

const platform = usePlatform();
const FORM = { kind: 'single_choice', prompt: 'Which?', options: [{ id: 'a', label: 'A' }] };
const ASK = `@@tool ask_user ${JSON.stringify(FORM)}`;

describe('a turn', () => {
  let space: TestSpace;
  let owner: Client;

  beforeAll(async () => {
    space = await platform.newSpace();
    owner = space.owner;
  });

  const agent = async (body: object = {}): Promise<string> =>
    (await owner.post('/agents', { ...AGENT, ...body })).body.data.id;
  const read = async (path: string, body?: object): Promise<StreamOutput> =>
    framesOf(await (await owner.stream(path, body, { headers: STREAM })).all());
  const interactionOf = (output: StreamOutput): Record<string, string> =>
    output.frames.find((frame) => frame.params.data.event === PRODUCT_EVENTS.agentInputRequired)?.params.data
      .interaction;
  const contiguous = (output: StreamOutput): void => {
    expect(output.frames.map((frame) => frame.seq)).toEqual(output.frames.map((_, at) => at + 1));
  };

  it('has the settings of its agent, and those of its request before them', async () => {
    const id = await agent({ settings: { max_tokens: 3 } });
    const words = (answer: string): number => answer.split(' ').length;
    const chat = async (settings: object) =>
      (await owner.post(`/agents/${id}/chat`, { ...contentsOf('@@tokens 10'), settings, stream: false })).body.data;
    const short = await chat({});
    expect([words(short.answer), short.finish_reason]).toEqual([3, 'length']);
    expect(words((await chat({ max_tokens: 5 })).answer)).toBe(5);
    const body = { inputs: { query: '@@tokens 10' }, settings: { maxTokens: 4 } };
    expect(words((await owner.post(`/agents/${id}/execute`, body)).body.answer)).toBe(4);
  });

  it('asks the host for nothing when the user only asks', async () => {
    const id = await agent({ localTools: [{ name: 'pay', description: 'pays', parameters: { type: 'object' } }] });
    const body = { ...contentsOf('@@tool pay {}\n@@reply {{tool}}'), settings: { chat_mode: 'ask' } };
    const output = await read(`/agents/${id}/chat`, body);
    expect(output.events).not.toContain(PRODUCT_EVENTS.localToolCall);
    const executions = output.frames.filter((frame) => frame.params.data.event === PRODUCT_EVENTS.toolExecution);
    expect(executions.at(-1)?.params.data).toMatchObject({ name: 'pay', source: 'local', status: 'skipped' });
    expect(output.text).toContain('TOOL_NOT_EXECUTED');
  });

  it('shows any result of a tool as one frame, shortened', async () => {
    const id = await agent({ localTools: [{ name: 'fetch', description: 'x', parameters: { type: 'object' } }] });
    const turnId = randomUUID();
    const stream = await owner.stream(
      `/agents/${id}/chat`,
      { ...contentsOf('@@tool fetch {}\n@@reply done'), turnId },
      { headers: STREAM },
    );
    const fake = '\n\nid: 999\ndata: {"type":"event","method":"custom:service","seq":999}\n\n<script>alert(1)</script>';
    const raw = [];
    for await (const frame of stream.frames) {
      raw.push(frame);
      const { call_id: callId } = frame.data.params.data;
      if (frame.data.params.data.event === PRODUCT_EVENTS.localToolCall)
        await owner.post(`/agents/${id}/turns/${turnId}/tool-results`, {
          callId,
          result: `${fake}${'x'.repeat(5_000_000)}`,
        });
    }
    const received = framesOf(raw);
    contiguous(received);
    const finished = received.frames.filter((frame) => frame.params.data.event === 'tool-finished');
    expect(finished).toHaveLength(1);
    const output = finished[0]?.params.data.output as string;
    expect(output.startsWith(fake)).toBe(true);
    expect(output.length).toBeLessThan(300_000);
    expect(output).toContain('[shortened:');
    expect(received.events.filter((event) => event === 'tool-started')).toHaveLength(1);
  });

  it('is cancelled within two seconds also after it was resumed', async () => {
    const id = await agent({ tools: ['ask_user'] });
    await expectWithin(2_000, async () => {
      const turnId = randomUUID();
      const paused = await read(`/agents/${id}/chat`, { ...contentsOf(`${ASK}\n@@delay 200\n@@tokens 100`), turnId });
      const { id: interactionId, sessionId } = interactionOf(paused);
      const turn = `/agents/${id}/turns/${turnId}`;
      const answer = { sessionId, interactionId, selectedOptionIds: ['a'], otherText: null };
      const raw = [...paused.raw];
      let cancelledAt = 0;
      for await (const frame of (await owner.stream(`${turn}/resume`, answer, { headers: STREAM })).frames) {
        raw.push(frame);
        if (cancelledAt > 0 || frame.data.params.data.event !== PRODUCT_EVENTS.contentDelta) continue;
        cancelledAt = Date.now();
        await owner.post(`${turn}/cancel`, { sessionId });
      }
      const tookMs = Date.now() - cancelledAt;
      const output = framesOf(raw);
      contiguous(output);
      expect(output.frames.at(-1)?.params.data).toEqual({ event: PRODUCT_EVENTS.streamEnded, status: 'CANCELLED' });
      return tookMs;
    });
  });

  it('ends for its reader when its session is deleted', async () => {
    const id = await agent();
    await expectWithin(2_000, async () => {
      const turnId = randomUUID();
      const body = { ...contentsOf('@@delay 200\n@@tokens 100'), turnId };
      const raw = [];
      let deletedAt = 0;
      let sessionId = '';
      for await (const frame of (await owner.stream(`/agents/${id}/chat`, body, { headers: STREAM })).frames) {
        raw.push(frame);
        sessionId ||= frame.data.params.data.session_id ?? '';
        if (deletedAt > 0 || frame.data.params.data.event !== PRODUCT_EVENTS.contentDelta) continue;
        deletedAt = Date.now();
        expect((await owner.delete(`/agents/sessions/${sessionId}`)).status).toBe(200);
      }
      const tookMs = Date.now() - deletedAt;
      expect(framesOf(raw).frames.at(-1)?.params.data).toEqual({
        event: PRODUCT_EVENTS.streamEnded,
        status: 'CANCELLED',
      });
      expect((await owner.get(`/agents/${id}/turns/${turnId}`)).status).toBe(404);
      expect((await owner.post(`/agents/${id}/chat`, { ...body, stream: false })).status).toBe(404);
      return tookMs;
    });
  });

  it('of a deleted agent can still be stopped, and not be answered', async () => {
    await expectWithin(2_000, async () => {
      const id = await agent({ tools: ['ask_user'] });
      const turnId = randomUUID();
      const paused = await read(`/agents/${id}/chat`, { ...contentsOf(ASK), turnId });
      const { id: interactionId, sessionId } = interactionOf(paused);
      await owner.delete(`/agents/${id}`);
      const turn = `/agents/${id}/turns/${turnId}`;
      const answer = { sessionId, interactionId, selectedOptionIds: ['a'], otherText: null };
      expect((await owner.post(`${turn}/resume`, answer, { headers: STREAM })).status).toBe(404);
      expect((await owner.post(`${turn}/cancel`, { sessionId })).status).toBe(200);
      const cancelledAt = Date.now();
      await until(async () => (await owner.get(turn)).body.data.status === 'CANCELLED');
      const tookMs = Date.now() - cancelledAt;
      // The session lives on, with another agent in a fork of it.
      expect((await owner.get(`/agents/sessions/${sessionId}`)).body.data).toMatchObject({ activeTurnId: null });
      return tookMs;
    });
  });

  it('is read by its maker alone, from where there is something to read', async () => {
    const id = await agent();
    const turnId = randomUUID();
    const { frames } = await read(`/agents/${id}/chat`, { ...contentsOf('hello'), turnId });
    const stream = `/agents/${id}/turns/${turnId}/stream`;
    expect((await read(`${stream}?after=${frames.length - 1}`)).frames).toEqual(frames.slice(-1));
    expect((await read(`${stream}?after=${frames.length}`)).frames).toEqual([]);
    expect((await read(`${stream}?after=${frames.length + 50}`)).frames).toEqual([]);
    expect((await owner.get(`/agents/${id}/turns/${randomUUID()}/stream`)).status).toBe(404);
    expect((await owner.get(`/agents/${await agent()}/turns/${turnId}/stream`)).status).toBe(404);
    expect((await owner.get(`/agents/${id}/turns/no-uuid/stream`)).status).toBe(400);
    expect((await owner.get(`${stream}?after=-1`)).status).toBe(400);
    const member = await space.member();
    expect((await member.get(stream)).status).toBe(404);
    expect((await member.get(`/agents/${id}/turns/${turnId}`)).status).toBe(404);
    expect((await member.post(`/agents/${id}/turns/${turnId}/cancel`, {})).status).toBe(404);
    const stranger = (await platform.newSpace()).owner;
    expect((await stranger.get(stream)).status).toBe(404);
    await owner.put(`/agents/${id}`, { accessScope: 'RESTRICTED', allowedUserIds: [member.identity.userId] });
    expect((await owner.get(stream)).status).toBe(403);
  });

  it('has an id that is its maker’s own: another user’s equal one is another turn', async () => {
    const id = await agent();
    const turnId = randomUUID();
    const body = { ...contentsOf('mine'), turnId, stream: false };
    const mine = (await owner.post(`/agents/${id}/chat`, body)).body.data;
    const member = await space.member();
    const theirs = await member.post(`/agents/${id}/chat`, { ...body, ...contentsOf('theirs') });
    expect([theirs.status, theirs.body.data.answer]).toEqual([200, 'You said: theirs']);
    expect(theirs.body.data.session_id).not.toBe(mine.session_id);
    expect((await owner.get(`/agents/${id}/turns/${turnId}`)).body.data.sessionId).toBe(mine.session_id);
    expect((await member.get(`/agents/${id}/turns/${turnId}`)).body.data.sessionId).toBe(theirs.body.data.session_id);
    const otherSpace = await platform.newSpace();
    const foreign = (await otherSpace.owner.post('/agents', AGENT)).body.data.id as string;
    expect((await otherSpace.owner.post(`/agents/${foreign}/chat`, body)).body.data.answer).toBe('You said: mine');
  });

  it('is the same for the same JSON, however it is written, and another one for any other', async () => {
    const id = await agent();
    const turnId = randomUUID();
    const settings = { temperature: 0.5, max_tokens: 9 };
    const first = await owner.post(`/agents/${id}/chat`, { ...contentsOf('once'), settings, turnId, stream: false });
    const text = `{"turnId": "${turnId.toUpperCase()}", "stream": false, "settings": {"max_tokens": 9, "temperature": 5e-1},
      "contents": [{"text": "once", "type": "text"}]}`;
    const again = await owner.post(`/agents/${id}/chat`, text);
    expect([again.status, again.body.data]).toEqual([200, first.body.data]);
    const others = [
      { ...contentsOf('once'), settings: { temperature: 0.5 } },
      { ...contentsOf('once'), settings, session_id: first.body.data.session_id },
      { contents: [...contentsOf('once').contents, ...contentsOf('x').contents], settings },
    ];
    for (const other of others) {
      const refused = await owner.post(`/agents/${id}/chat`, { ...other, turnId, stream: false });
      expect([refused.status, refused.body.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    }
  });

  it('may be read by an admin, and stopped or answered by its maker alone', async () => {
    const id = await agent({ tools: ['ask_user'] });
    const turnId = randomUUID();
    const paused = await read(`/agents/${id}/chat`, { ...contentsOf(`${ASK}\n@@reply ok`), turnId });
    const { id: interactionId, sessionId } = interactionOf(paused);
    const admin = await space.member('ADMIN');
    const turn = `/agents/${id}/turns/${turnId}`;
    expect((await admin.get(turn)).body.data.status).toBe('WAITING_INPUT');
    expect(framesOf(await (await admin.stream(`${turn}/stream`)).all()).frames).toEqual(paused.frames);
    const pending = `/agents/${id}/sessions/${sessionId}/interactions/pending`;
    expect((await admin.get(pending)).body.data).toHaveLength(1);
    const answer = { sessionId, interactionId, selectedOptionIds: ['a'], otherText: null };
    expect((await admin.post(`${turn}/resume`, answer, { headers: STREAM })).status).toBe(404);
    expect((await admin.post(`${turn}/cancel`, { sessionId })).status).toBe(403);
    expect(
      (await admin.post(`/agents/${id}/chat`, { ...contentsOf('x'), session_id: sessionId, stream: false })).status,
    ).toBe(404);
    for (const member of [await space.member(), await space.member('VIEWER')]) {
      expect((await member.get(pending)).status).toBe(404);
      expect((await member.post(`${turn}/cancel`, { sessionId })).status).toBe(404);
    }
    expect((await owner.post(`${turn}/cancel`, { sessionId: randomUUID() })).status).toBe(404);
    expect((await owner.post(`${turn}/cancel`)).body.data).toEqual({ turn_id: turnId, status: 'CANCELLING' });
  });

  it('is 404 with all that hangs on it once its session is deleted', async () => {
    const id = await agent({ tools: ['ask_user'] });
    const turnId = randomUUID();
    const paused = await read(`/agents/${id}/chat`, { ...contentsOf(`${ASK}\n@@reply ok`), turnId });
    const { id: interactionId, sessionId } = interactionOf(paused);
    expect((await owner.delete(`/agents/sessions/${sessionId}`)).body.data).toEqual({ id: sessionId, deleted: true });
    const [session, turn] = [`/agents/${id}/sessions/${sessionId}`, `/agents/${id}/turns/${turnId}`];
    const answer = { sessionId, interactionId, selectedOptionIds: ['a'], otherText: null };
    const replies = await Promise.all([
      owner.get(`/agents/sessions/${sessionId}`),
      owner.patch(`/agents/sessions/${sessionId}`, { title: 'x' }),
      owner.delete(`/agents/sessions/${sessionId}`),
      owner.get(`/agents/sessions/${sessionId}/messages`),
      owner.post(`/agents/sessions/${sessionId}/fork`, {}),
      owner.post(`${session}/context/status`, {}),
      owner.post(`${session}/context/compact`, {}),
      owner.get(`${session}/interactions/pending`),
      owner.get(turn),
      owner.get(`${turn}/stream`),
      owner.post(`${turn}/cancel`, { sessionId }),
      owner.post(`${turn}/resume`, answer, { headers: STREAM }),
      owner.post(`${turn}/tool-results`, { sessionId, callId: 'c', result: 1 }),
      owner.post(`/agents/${id}/chat`, { ...contentsOf('x'), session_id: sessionId, stream: false }),
      owner.post(`/agents/${id}/chat`, { ...contentsOf('x'), session_id: sessionId }, { headers: STREAM }),
      owner.post(`/agents/${id}/execute`, { inputs: { query: 'x', session_id: sessionId } }),
    ]);
    expect(replies.map(({ status, body }) => [status, body.code])).toEqual(replies.map(() => [404, 'NOT_FOUND']));
    expect(
      (await owner.get('/agents/sessions?limit=100')).body.data.map((row: { id: string }) => row.id),
    ).not.toContain(sessionId);
  });

  it('is paid for as far as it came when it is cancelled', async () => {
    const id = await agent();
    const turnId = randomUUID();
    const body = { ...contentsOf('@@delay 50\n@@tokens 200'), turnId };
    let count = 0;
    for await (const { data } of (await owner.stream(`/agents/${id}/chat`, body, { headers: STREAM })).frames)
      if (data.params.data.event === PRODUCT_EVENTS.contentDelta && (count += 1) === 5)
        await owner.post(`/agents/${id}/turns/${turnId}/cancel`, {});
    const row = await until(async () =>
      (await owner.get('/usage/ledger?limit=100')).body.data.find(
        (entry: { type: string; turnId: string }) => entry.type === 'SETTLEMENT' && entry.turnId === turnId,
      ),
    );
    expect(-row.tokens).toBeGreaterThanOrEqual(count);
    expect(-row.tokens).toBeLessThan(200);
  });
});
