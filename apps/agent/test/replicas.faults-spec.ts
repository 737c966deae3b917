import { randomUUID } from 'node:crypto';
import { type Client, until, usePlatform } from '@switchyard/testing';
import { AGENT, framesOf, type Heard, say, STREAM } from './talk';

const platform = usePlatform();
/** The tool holds the turn at the first replica until there is a second one. */
const TEXT = '@@tool hold {}\n@@delay 50\n@@tokens 60';

const HOLD = { name: 'hold', description: 'holds', parameters: { type: 'object' } };

interface Watched extends Heard {
  /** The longest time between two frames. */
  silentMs: number;
}

describe('a turn of one of two agent replicas', () => {
  const first = platform.service('agent');
  const second = platform.service('agent-2');
  let owner: Client;
  let agentId: string;

  beforeAll(async () => {
    owner = (await platform.newSpace()).owner;
    agentId = (await owner.post('/agents', { ...AGENT, localTools: [HOLD] })).body.data.id;
  });

  beforeEach(() => first.ready());
  afterEach(() => second.stop().catch(() => undefined));
  afterAll(() => first.ready());

  /** Opens a turn at the first replica, and does something to it when there is a second one and words come. */
  async function watch(turnId: string, harm: (words: number) => void): Promise<Watched> {
    const stream = await owner.stream(`/agents/${agentId}/chat`, { ...say(TEXT), turnId }, { headers: STREAM });
    const raw = [];
    let silentMs = 0;
    let words = 0;
    let heardAt = Date.now();
    for await (const frame of stream.frames) {
      if (words > 0) silentMs = Math.max(silentMs, Date.now() - heardAt);
      heardAt = Date.now();
      raw.push(frame);
      const { event, call_id: callId } = frame.data.params.data;
      if (event === 'local-tool-call') {
        await second.start();
        await owner.post(`/agents/${agentId}/turns/${turnId}/tool-results`, { callId, result: 'go on' });
      }
      if (event === 'content-delta') harm((words += 1));
    }
    return { ...framesOf(raw), silentMs };
  }

  const replayOf = async (turnId: string): Promise<Heard> =>
    framesOf(await (await owner.stream(`/agents/${agentId}/turns/${turnId}/stream`, undefined)).all());

  function expectWhole(heard: Heard, replay: Heard): void {
    expect(heard.frames.map((frame) => frame.seq)).toEqual(heard.frames.map((_, at) => at + 1));
    expect(heard.events.at(-1)).toBe('stream-ended');
    expect(heard.events).toContain('response-completed');
    expect(heard.events.filter((event) => event === 'step-restarted')).toHaveLength(1);
    expect(replay.frames).toEqual(heard.frames);
  }

  it('goes on at the other within seconds when the first is killed', async () => {
    const turnId = randomUUID();
    let killed = false;
    const heard = await watch(turnId, (words) => {
      if (words < 10 || killed) return;
      killed = true;
      void first.kill('SIGKILL');
    });
    expectWhole(heard, await replayOf(turnId));
    // Lease and silence would take ten seconds and more: that the process is gone is known at once.
    expect(heard.silentMs).toBeLessThan(8_000);
  }, 60_000);

  it('goes on at the other when the first freezes, and the first says nothing more when it thaws', async () => {
    const turnId = randomUUID();
    let frozen = false;
    const thawed = until(
      async () => {
        const rows = await platform.database.query<{ epoch: number }>(
          'select epoch from session.turns where turn_id = $1',
          [turnId],
        );
        return (rows[0]?.epoch ?? 0) > 1;
      },
      { timeoutMs: 40_000, everyMs: 100 },
    ).then(() => {
      first.resume();
    });
    const heard = await watch(turnId, (words) => {
      if (words < 10 || frozen) return;
      frozen = true;
      first.pause();
    });
    await thawed;
    expectWhole(heard, await replayOf(turnId));
  }, 90_000);

  it('is handed over when the first is stopped in order', async () => {
    await first.restart({ TURN_FINISH_WITHIN_MS: '500' });
    const turnId = randomUUID();
    let stopped: Promise<void> | undefined;
    const heard = await watch(turnId, (words) => {
      if (words > 10) stopped ??= first.stop();
    });
    await stopped;
    await first.start();
    expectWhole(heard, await replayOf(turnId));
    // Lease and silence would take ten seconds and more here too.
    expect(heard.silentMs).toBeLessThan(8_000);
  }, 90_000);
});
