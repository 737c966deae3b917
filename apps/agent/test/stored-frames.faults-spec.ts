import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { type Client, until, usePlatform } from '@switchyard/testing';
import { AGENT, framesOf, contentsOf, STREAM, type WireFrame } from './talk';

const platform = usePlatform();

/** Less than the words of a long turn: a busy machine puts many of them into one frame. */
const LIMIT = 65_536;
const TWO_ROUNDS_MS = 2_500;

describe('the frames of turns that one Space may keep', () => {
  const agentService = platform.service('agent');
  const bound = { FRAMES_MAX_BYTES_PER_SPACE: String(LIMIT) };
  let other: { client: Client; agentId: string };

  beforeAll(async () => {
    await agentService.restart(bound);
    other = await makeSpace();
  });

  afterAll(async () => {
    await agentService.restart();
  });

  const makeSpace = async (): Promise<{ client: Client; agentId: string }> => {
    const client = (await platform.newSpace()).owner;
    return { client, agentId: (await client.post('/agents', AGENT)).body.data.id as string };
  };
  type Space = Awaited<ReturnType<typeof makeSpace>>;

  const open = (space: Space, turnId: string, text: string): ReturnType<Client['stream']> =>
    space.client.stream(`/agents/${space.agentId}/chat`, { ...contentsOf(text), turnId }, { headers: STREAM });
  const talk = async (space: Space, text: string): Promise<{ turnId: string; frames: WireFrame[] }> => {
    const turnId = randomUUID();
    return { turnId, frames: framesOf(await (await open(space, turnId, text)).all()).frames };
  };
  const path = (space: Space, turnId: string): string => `/agents/${space.agentId}/turns/${turnId}/stream`;
  const replay = async (space: Space, turnId: string, after = 0): Promise<WireFrame[] | string> => {
    const reply = await space.client.stream(`${path(space, turnId)}?after=${after}`, undefined);
    return reply.status === 200 ? framesOf(await reply.all()).frames : `${reply.status}`;
  };
  const expired = (space: Space, turnId: string): Promise<unknown> =>
    until(async () => {
      const reply = await space.client.get(path(space, turnId));
      return reply.status === 410 && reply.body.code === 'STREAM_EXPIRED';
    });
  const measured = (suffix = ''): Promise<number> => agentService.metric(`switchyard_frames_stored_bytes${suffix}`);

  it('are those of its newest turns, across restarts; another Space keeps all of its own', async () => {
    const theirs = await talk(other, '@@tokens 50');
    const space = await makeSpace();
    const oldest = await talk(space, '@@tokens 300');
    await agentService.restart(bound);
    const turns = [];
    for (let at = 0; at < 4; at += 1) turns.push(await talk(space, '@@tokens 5000'));
    await expired(space, oldest.turnId);
    const newest = await talk(space, 'hello');
    expect(await replay(space, newest.turnId)).toEqual(newest.frames);
    expect(await replay(other, theirs.turnId)).toEqual(theirs.frames);
    await until(async () => (await measured()) <= LIMIT);
    expect(await measured('_limit')).toBe(LIMIT);
    expect(await measured('_removed_total')).toBeGreaterThan(0);
    // Only the replay has expired.
    const { body } = await space.client.get(`/agents/${space.agentId}/turns/${oldest.turnId}`);
    expect(body.data.status).toBe('COMPLETED');
  });

  it('are the end of its newest turn, though that alone is more than the bound', async () => {
    const space = await makeSpace();
    const { turnId, frames } = await talk(space, '@@tokens 16000');
    await expired(space, turnId);
    // A turn whose frames were removed while it ran is counted again after its end.
    await sleep(TWO_ROUNDS_MS);
    expect(await replay(space, turnId, frames.length - 2)).toEqual(frames.slice(-2));
  });

  it('are counted whole, though the database is slow to count while the turn goes on', async () => {
    const space = await makeSpace();
    const turnId = randomUUID();
    // A statement waits for a lock for five seconds: the turn ends before.
    const letGo = await platform.database.hold('lock table agent.kept_frames in share mode');
    try {
      const stream = await open(space, turnId, '@@tokens 16000');
      expect(framesOf(await stream.all()).events.at(-1)).toBe(PRODUCT_EVENTS.streamEnded);
    } finally {
      await letGo();
    }
    await expired(space, turnId);
  });

  it('lose those of ended turns before the oldest of a running one, which tells its end to its reader all the same', async () => {
    const space = await makeSpace();
    const ended = await talk(space, '@@tokens 100');
    const turnId = randomUUID();
    const stream = await open(space, turnId, '@@delay 4\n@@tokens 4000');
    const raw = [];
    let wasEndedRemoved: boolean | undefined;
    for await (const frame of stream.frames) {
      raw.push(frame);
      if (wasEndedRemoved === undefined && raw.length % 200 === 0) {
        const running = await space.client.stream(path(space, turnId), undefined);
        if (running.status === 410) wasEndedRemoved = (await replay(space, ended.turnId)) === '410';
        // Leaving the loop closes the connection.
        else for await (const { data } of running.frames) if (data) break;
      }
    }
    const { frames, events } = framesOf(raw);
    expect(wasEndedRemoved).toBe(true);
    expect(events.at(-1)).toBe(PRODUCT_EVENTS.streamEnded);
    expect(frames.map(({ seq }) => seq)).toEqual(frames.map((_, at) => at + 1));
    await expired(space, turnId);
    expect(await replay(space, turnId, frames.length - 2)).toEqual(frames.slice(-2));
  });
});
