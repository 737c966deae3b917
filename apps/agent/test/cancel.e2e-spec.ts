import { randomUUID } from 'node:crypto';
import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { type Client, expectWithin, until, usePlatform } from '@switchyard/testing';
import { AGENT, contentsOf, STREAM, type WireFrame } from './talk';

const platform = usePlatform();

describe('cancelling a turn', () => {
  let owner: Client;
  let agentId: string;

  beforeAll(async () => {
    owner = (await platform.newSpace()).owner;
    const localTools = [{ name: 'on_host', description: 'runs at the host', parameters: { type: 'object' } }];
    agentId = (await owner.post('/agents', { ...AGENT, localTools })).body.data.id;
  });

  async function cancelAt(
    text: string,
    when: (frame: WireFrame) => boolean,
  ): Promise<{ output: WireFrame[]; tookMs: number; turnId: string; sessionId: string }> {
    const turnId = randomUUID();
    const stream = await owner.stream(`/agents/${agentId}/chat`, { ...contentsOf(text), turnId }, { headers: STREAM });
    const output: WireFrame[] = [];
    let cancelledAt = 0;
    let sessionId = '';
    for await (const { data } of stream.frames) {
      const frame = data as WireFrame;
      output.push(frame);
      if (frame.params.data.event === PRODUCT_EVENTS.sessionStarted) sessionId = frame.params.data.session_id;
      if (cancelledAt === 0 && when(frame)) {
        cancelledAt = Date.now();
        const reply = await owner.post(`/agents/${agentId}/turns/${turnId}/cancel`, { sessionId });
        expect(reply.status).toBe(200);
        expect(reply.body.data).toMatchObject({ turn_id: turnId, status: expect.stringMatching(/^CANCELL/) });
      }
    }
    return { output, tookMs: Date.now() - cancelledAt, turnId, sessionId };
  }

  it('comes by itself to the turns of somebody who leaves the Space', async () => {
    const space = await platform.newSpace();
    const id = (await space.owner.post('/agents', AGENT)).body.data.id;
    const [leaving, staying] = [await space.member(), await space.member()];
    const text = '@@delay 100\n@@tokens 3000';
    const open = async (client: Client): Promise<string> => {
      const turnId = randomUUID();
      await client.stream(`/agents/${id}/chat`, { ...contentsOf(text), turnId }, { headers: STREAM });
      return turnId;
    };
    const [cancelled, running] = [await open(leaving), await open(staying)];
    const statusOf = async (turnId: string): Promise<string> =>
      (await space.owner.get(`/agents/${id}/turns/${turnId}`)).body.data.status;
    expect([await statusOf(cancelled), await statusOf(running)]).toEqual(['RUNNING', 'RUNNING']);
    await space.owner.patch(`/spaces/${space.id}/members/${staying.identity.userId}`, { role: 'VIEWER' });
    await space.owner.delete(`/spaces/${space.id}/members/${leaving.identity.userId}`);
    await until(async () => (await statusOf(cancelled)) === 'CANCELLED');
    expect(await statusOf(running)).toBe('RUNNING');
    await staying.post(`/agents/${id}/turns/${running}/cancel`, {});
  });

  const eventIs =
    (name: string) =>
    (frame: WireFrame): boolean =>
      frame.params.data.event === name;

  it.each([
    ['before the first token', '@@delay 20000\n@@tokens 5', eventIs(PRODUCT_EVENTS.sessionStarted)],
    [
      'in the middle of the answer',
      '@@delay 100\n@@tokens 200',
      (frame: WireFrame) => eventIs(PRODUCT_EVENTS.contentDelta)(frame) && frame.seq > 8,
    ],
    ['within a tool', '@@tool on_host {}\n@@reply done', eventIs(PRODUCT_EVENTS.localToolCall)],
  ])('works %s, within two seconds', async (_, text, when) => {
    await expectWithin(2000, async () => {
      const { output, tookMs, turnId } = await cancelAt(text, when);
      expect(output.map((frame) => frame.seq)).toEqual(output.map((__, at) => at + 1));
      expect(output.at(-1)?.params.data).toEqual({ event: PRODUCT_EVENTS.streamEnded, status: 'CANCELLED' });
      expect(output.at(-2)?.params.data).toMatchObject({ event: 'interrupted' });
      for (const event of [
        PRODUCT_EVENTS.responseCompleted,
        PRODUCT_EVENTS.errorOccurred,
        PRODUCT_EVENTS.agentInputRequired,
      ])
        expect(output.some(eventIs(event))).toBe(false);
      expect((await owner.get(`/agents/${agentId}/turns/${turnId}`)).body.data.status).toBe('CANCELLED');
      return tookMs;
    });
  });

  it('keeps what was said, marked, and is harmless when repeated', async () => {
    const { turnId, sessionId } = await cancelAt('@@delay 50\n@@tokens 1000', (frame) => frame.seq > 8);
    const messages = (await owner.get(`/agents/sessions/${sessionId}/messages`)).body.data;
    const stored = messages.find((message: { role: string }) => message.role === 'assistant');
    expect(stored.finishReason).toBe('cancelled');
    expect(stored.content[0].text).not.toBe('');
    const again = await owner.post(`/agents/${agentId}/turns/${turnId}/cancel`, { sessionId });
    expect(again.status).toBe(200);
    expect(again.body.data.status).toBe('CANCELLED');
    expect((await owner.post(`/agents/${agentId}/turns/${randomUUID()}/cancel`, { sessionId })).status).toBe(404);
    const next = await owner.post(`/agents/${agentId}/chat`, {
      ...contentsOf('and on'),
      session_id: sessionId,
      stream: false,
    });
    expect(next.body.data.status).toBe('COMPLETED');
  });

  it('answers a waiting call with the cancelled turn', async () => {
    const turnId = randomUUID();
    const waiting = owner.post(`/agents/${agentId}/chat`, {
      ...contentsOf('@@delay 200\n@@tokens 200'),
      turnId,
      stream: false,
    });
    await until(async () => (await owner.post(`/agents/${agentId}/turns/${turnId}/cancel`, {})).status === 200);
    const reply = await waiting;
    expect(reply.status).toBe(200);
    expect(reply.body.data.status).toBe('CANCELLED');
  });

  it('says in its result what the ledger has charged for the call that was cut off', async () => {
    const middle = (frame: WireFrame): boolean => eventIs(PRODUCT_EVENTS.contentDelta)(frame) && frame.seq > 8;
    const { turnId } = await cancelAt('@@delay 100\n@@tokens 200', middle);
    const again = { ...contentsOf('@@delay 100\n@@tokens 200'), turnId, stream: false };
    const { status, token_usage: usage } = (await owner.post(`/agents/${agentId}/chat`, again)).body.data;
    expect(status).toBe('CANCELLED');
    const rows = (await owner.get('/usage/ledger?limit=100')).body.data.filter(
      (row: { turnId: string }) => row.turnId === turnId,
    );
    expect(rows).toHaveLength(1);
    expect(usage.total_tokens).toBe(-rows[0].tokens);
    expect(usage.completion_tokens).toBeGreaterThan(0);
    expect(Number(usage.prompt_tokens) + Number(usage.completion_tokens)).toBe(usage.total_tokens);
  });
});
