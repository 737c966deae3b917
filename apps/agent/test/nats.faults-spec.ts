import { randomUUID } from 'node:crypto';
import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { type Client, until, usePlatform } from '@switchyard/testing';
import { AGENT, framesOf, contentsOf, STREAM } from './talk';

const platform = usePlatform();
const nats = platform.server('nats');

describe('the stream of a turn when NATS fails', () => {
  let owner: Client;
  let agentId: string;

  beforeAll(async () => {
    owner = (await platform.newSpace()).owner;
    agentId = (await owner.post('/agents', AGENT)).body.data.id;
  });

  afterEach(async () => {
    await nats.ready();
    for (const name of ['gateway', 'session', 'agent', 'relay']) await platform.service(name).ready();
  });

  it('goes on with the same numbers when NATS is back', async () => {
    const turnId = randomUUID();
    const body = { ...contentsOf('@@delay 50\n@@tokens 60'), turnId };
    const stream = await owner.stream(`/agents/${agentId}/chat`, body, { headers: STREAM });
    const raw = [];
    let crashed: Promise<void> | undefined;
    for await (const frame of stream.frames) {
      raw.push(frame);
      if (frame.data.seq === 15) crashed = nats.crash();
    }
    await crashed;
    const { frames, events } = framesOf(raw);
    expect(frames.map((frame) => frame.seq)).toEqual(frames.map((_, at) => at + 1));
    expect(events.at(-1)).toBe(PRODUCT_EVENTS.streamEnded);
    // The model call of the moment may be lost with the line to the relay; the turn then says so, and is over.
    expect(
      events.filter((event) => event === PRODUCT_EVENTS.responseCompleted || event === PRODUCT_EVENTS.errorOccurred),
    ).toHaveLength(1);
    const turn = await until(async () => (await owner.get(`/agents/${agentId}/turns/${turnId}`)).body.data);
    expect(turn.status).toBe(frames.at(-1)?.params.data.status);
    const path = `/agents/${agentId}/turns/${turnId}/stream`;
    const replay = await until(async () => framesOf(await (await owner.stream(path, undefined)).all()));
    expect(replay.frames).toEqual(frames);
  });

  it('is said to be gone when its frames are', async () => {
    const turnId = randomUUID();
    const body = { ...contentsOf('short'), turnId };
    const output = framesOf(await (await owner.stream(`/agents/${agentId}/chat`, body, { headers: STREAM })).all());
    // Not out of the memory of the agent that ran it.
    await nats.wipe();
    await platform.service('agent').crash();
    const path = `/agents/${agentId}/turns/${turnId}/stream`;
    const refused = await until(async () => {
      const reply = await owner.get(path);
      return reply.status >= 500 ? null : reply;
    });
    expect([refused.status, refused.body.code]).toEqual([410, 'STREAM_EXPIRED']);
    const behind = await owner.get(`${path}?after=${output.frames.length - 2}`);
    expect([behind.status, behind.body.code]).toEqual([410, 'STREAM_EXPIRED']);
    const again = await owner.post(`/agents/${agentId}/chat`, body, { headers: STREAM });
    expect([again.status, again.body.code]).toEqual([410, 'STREAM_EXPIRED']);
    // The conversation is not: only its replay.
    const result = await owner.post(`/agents/${agentId}/chat`, { ...body, stream: false });
    expect(result.body.data).toMatchObject({ status: 'COMPLETED', answer: output.text });
  });
});
