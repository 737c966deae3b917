import { randomUUID } from 'node:crypto';
import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { type Client, usePlatform } from '@switchyard/testing';
import { AGENT, framesOf, contentsOf, STREAM } from './talk';

const platform = usePlatform();

describe('a turn while parts of the platform are away', () => {
  let owner: Client;
  let agentId: string;

  beforeAll(async () => {
    owner = (await platform.newSpace()).owner;
    agentId = (await owner.post('/agents', AGENT)).body.data.id;
  });

  afterEach(async () => {
    for (const name of ['session', 'agent', 'gateway']) await platform.service(name).ready();
  });

  it('says that it could not be stored yet, and is complete only when it is', async () => {
    const turnId = randomUUID();
    const stream = await owner.stream(
      `/agents/${agentId}/chat`,
      { ...contentsOf('@@delay 40\n@@tokens 100'), turnId },
      { headers: STREAM },
    );
    const raw = [];
    let stopped: Promise<void> | undefined;
    for await (const frame of stream.frames) {
      raw.push(frame);
      const { event } = frame.data.params.data;
      if (frame.data.seq === 12) stopped = platform.service('session').stop();
      if (event === PRODUCT_EVENTS.turnPersistPending) {
        await stopped;
        await platform.service('session').start();
      }
    }
    const { frames, events } = framesOf(raw);
    expect(frames.map((frame) => frame.seq)).toEqual(frames.map((_, at) => at + 1));
    expect(events.indexOf(PRODUCT_EVENTS.turnPersistPending)).toBeGreaterThan(0);
    expect(events).not.toContain(PRODUCT_EVENTS.stepRestarted);
    expect(events.indexOf(PRODUCT_EVENTS.responseCompleted)).toBeGreaterThan(
      events.indexOf(PRODUCT_EVENTS.turnPersistPending),
    );
    expect(frames.find((frame) => frame.params.data.event === PRODUCT_EVENTS.turnPersistPending)?.params.data).toEqual({
      event: PRODUCT_EVENTS.turnPersistPending,
      turn_id: turnId,
    });
    expect(events.at(-1)).toBe(PRODUCT_EVENTS.streamEnded);
    expect((await owner.get(`/agents/${agentId}/turns/${turnId}`)).body.data.status).toBe('COMPLETED');
  }, 300_000);

  it('is not refused to a repeated request while it is unknown whether it was received', async () => {
    const space = await platform.newSpace();
    const made = await space.owner.post('/agents', { ...AGENT, settings: { max_tokens: 30 } });
    const frugal = await space.key({ limits: { dailyTokens: 200 } });
    const body = { ...contentsOf('@@usage 100 100\n@@reply hello'), turnId: randomUUID(), stream: false };
    const ask = async (what: object): Promise<unknown[]> => {
      const reply = await frugal.post(`/agents/${made.body.data.id as string}/chat`, what);
      return [reply.status, reply.body.code ?? reply.body.data.status];
    };
    expect(await ask(body)).toEqual([200, 'COMPLETED']);
    expect(await ask({ ...body, turnId: randomUUID() })).toEqual([429, 'DAILY_LIMIT_EXCEEDED']);
    await platform.service('session').stop();
    expect(await ask(body)).toEqual([503, 'SERVICE_UNAVAILABLE']);
    await platform.service('session').start();
    expect(await ask(body)).toEqual([200, 'COMPLETED']);
  }, 300_000);

  it('ends cleanly for its client when the gateway stops, and can be read on', async () => {
    const turnId = randomUUID();
    const stream = await owner.stream(
      `/agents/${agentId}/chat`,
      { ...contentsOf('@@delay 100\n@@tokens 120'), turnId },
      { headers: STREAM },
    );
    const raw = [];
    let restarted: Promise<void> | undefined;
    for await (const frame of stream.frames) {
      raw.push(frame);
      if (frame.data.seq === 12) restarted = platform.service('gateway').kill('SIGTERM');
    }
    const before = framesOf(raw).frames;
    expect(before.map((frame) => frame.seq)).toEqual(before.map((_, at) => at + 1));
    expect(before.at(-1)?.params.data.event).not.toBe(PRODUCT_EVENTS.streamEnded);
    await restarted;
    await platform.service('gateway').ready();
    const rest = framesOf(
      await (await owner.stream(`/agents/${agentId}/turns/${turnId}/stream?after=${before.length}`, undefined)).all(),
    );
    expect(rest.frames.map((frame) => frame.seq)).toEqual(rest.frames.map((_, at) => before.length + at + 1));
    expect(rest.events.at(-1)).toBe(PRODUCT_EVENTS.streamEnded);
    expect(rest.frames.at(-1)?.params.data.status).toBe('COMPLETED');
  }, 300_000);
});
