import { randomUUID } from 'node:crypto';
import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { type Client, until, usePlatform } from '@switchyard/testing';
import { AGENT, framesOf, type StreamOutput, contentsOf, STREAM } from './talk';

const platform = usePlatform();
/** The tool holds the turn at the first replica until there is a second one. */
const TEXT = '@@tool hold {}\n@@delay 50\n@@tokens 120';

const HOLD = { name: 'hold', description: 'holds', parameters: { type: 'object' } };

type Answered = Awaited<ReturnType<Client['post']>>;

interface Watched extends StreamOutput {
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
  afterEach(async () => {
    if (first.pid !== null) first.resume();
    await second.stop().catch(() => undefined);
  });
  afterAll(() => first.ready());

  /** Opens a turn at the first replica, and does something to it when there is a second one and words come. */
  async function watch(
    turnId: string,
    harm: (words: number) => void,
    { text = TEXT, word = PRODUCT_EVENTS.contentDelta }: { text?: string; word?: string } = {},
  ): Promise<Watched> {
    const stream = await owner.stream(`/agents/${agentId}/chat`, { ...contentsOf(text), turnId }, { headers: STREAM });
    const raw = [];
    let silentMs = 0;
    let words = 0;
    let confirmedAt = Date.now();
    for await (const frame of stream.frames) {
      if (words > 0) silentMs = Math.max(silentMs, Date.now() - confirmedAt);
      confirmedAt = Date.now();
      raw.push(frame);
      const { event, call_id: callId } = frame.data.params.data;
      if (event === PRODUCT_EVENTS.localToolCall) {
        await second.start();
        await owner.post(`/agents/${agentId}/turns/${turnId}/tool-results`, { callId, result: 'go on' });
      }
      if (event === word) harm((words += 1));
    }
    return { ...framesOf(raw), silentMs };
  }

  const replayOf = async (turnId: string): Promise<StreamOutput> =>
    framesOf(await (await owner.stream(`/agents/${agentId}/turns/${turnId}/stream`, undefined)).all());

  function expectWhole(output: StreamOutput, replay: StreamOutput): void {
    expect(output.frames.map((frame) => frame.seq)).toEqual(output.frames.map((_, at) => at + 1));
    expect(output.events.at(-1)).toBe(PRODUCT_EVENTS.streamEnded);
    expect(output.events).toContain(PRODUCT_EVENTS.responseCompleted);
    expect(output.events.filter((event) => event === PRODUCT_EVENTS.stepRestarted)).toHaveLength(1);
    expect(replay.frames).toEqual(output.frames);
  }

  it('goes on at the other within seconds when the first is killed', async () => {
    const turnId = randomUUID();
    let killed = false;
    const output = await watch(turnId, (words) => {
      if (words < 10 || killed) return;
      killed = true;
      void first.kill('SIGKILL');
    });
    expectWhole(output, await replayOf(turnId));
    // Lease and silence would take ten seconds and more: that the process is gone is known at once.
    expect(output.silentMs).toBeLessThan(7_500);
  });

  it('thinks anew at the other when the first is killed in the middle of a thought', async () => {
    const turnId = randomUUID();
    const thought = Array.from({ length: 60 }, (_, at) => `w${at}`).join(' ');
    const text = `@@tool hold {}\n@@delay 50\n@@think ${thought}\n@@reply Four`;
    let killed = false;
    const output = await watch(
      turnId,
      (words) => {
        if (words < 10 || killed) return;
        killed = true;
        void first.kill('SIGKILL');
      },
      { text, word: PRODUCT_EVENTS.reasoningDelta },
    );
    expectWhole(output, await replayOf(turnId));
    const restarted = output.frames.find(({ params }) => params.data.event === PRODUCT_EVENTS.stepRestarted);
    const valid = output.frames.filter(
      ({ seq, params }) => params.data.event === PRODUCT_EVENTS.reasoningDelta && seq > (restarted?.seq ?? 0),
    );
    expect(valid.map(({ params }) => params.data.delta).join('')).toBe(thought);
    const again = await owner.post(`/agents/${agentId}/chat`, { ...contentsOf(text), turnId, stream: false });
    expect(again.body.data).toMatchObject({ answer: 'Four', reasoning: thought });
  });

  it('goes on at the other while the first is frozen, for all who wait', async () => {
    const turnId = randomUUID();
    const waiting = owner.post(`/agents/${agentId}/chat`, { ...contentsOf(TEXT), turnId, stream: false });
    const output = await watch(turnId, (words) => {
      if (words === 10) first.pause();
    });
    // It has been silent all the time, and blocks no reader, and no client that waits for the result.
    expect(output.silentMs).toBeLessThan(30_000);
    expect((await waiting).body).toMatchObject({ data: { status: 'COMPLETED' } });
    first.resume();
    expectWhole(output, await replayOf(turnId));
  });

  it('is sent by no other process when the first one resumes, also to its remaining readers', async () => {
    const turnId = randomUUID();
    let thawed: Promise<void> | undefined;
    const output = await watch(
      turnId,
      (words) => {
        if (words === 3) thawed = freezeUntilTakenOver(turnId);
      },
      { text: '@@tool hold {}\n@@delay 50\n@@tokens 240' },
    );
    await thawed;
    expectWhole(output, await replayOf(turnId));
  });

  /** The moment that matters: the turn is somebody else's already, and its readers have not given the first up yet. */
  async function freezeUntilTakenOver(turnId: string): Promise<void> {
    const isLeaseRunning = (seconds: number): Promise<unknown> =>
      until(async () => {
        const sql = `select 1 from session.turns where turn_id = $1 and lease_until < clock_timestamp() + make_interval(secs => $2)`;
        return (await platform.database.query(sql, [turnId, seconds])).length > 0;
      });
    // Just before a heartbeat, and until the lease has expired for that process.
    await isLeaseRunning(7.5);
    first.pause();
    await isLeaseRunning(3);
    await platform.database.query('update session.turns set lease_until = clock_timestamp() where turn_id = $1', [
      turnId,
    ]);
    await until(async () => {
      const sql = 'select 1 from session.turns where turn_id = $1 and epoch > 1';
      return (await platform.database.query(sql, [turnId])).length > 0;
    });
    first.resume();
  }

  it('is read whole by readers that come while it begins or ends, at either', async () => {
    await second.start();
    const replicas = [first, second];
    for (const [point, isThere] of [
      ['agent.turn-opened', (turn: Answered) => turn.status === 200],
      ['agent.closed', (turn: Answered) => turn.body.data?.status === 'COMPLETED'],
    ] as const) {
      await Promise.all(replicas.map((replica) => replica.arm(point, 'delay', { delayMs: 800 })));
      const turnId = randomUUID();
      const body = { ...contentsOf('@@tokens 5'), turnId };
      const opened = owner.stream(`/agents/${agentId}/chat`, body, { headers: STREAM }).then((reply) => reply.all());
      await until(async () => isThere(await owner.get(`/agents/${agentId}/turns/${turnId}`)));
      const joined = await Promise.all(Array.from({ length: 8 }, () => replayOf(turnId)));
      const { frames } = framesOf(await opened);
      expect(frames.at(-1)?.params.data).toEqual({ event: PRODUCT_EVENTS.streamEnded, status: 'COMPLETED' });
      expect(frames.map(({ seq }) => seq)).toEqual(frames.map((_, at) => at + 1));
      for (const output of [...joined, await replayOf(turnId)]) expect(output.frames).toEqual(frames);
    }
  });

  it('is handed over when the first is stopped in order', async () => {
    await first.restart({ TURN_FINISH_WITHIN_MS: '500' });
    const turnId = randomUUID();
    let stopped: Promise<void> | undefined;
    const output = await watch(turnId, (words) => {
      if (words > 10) stopped ??= first.stop();
    });
    await stopped;
    await first.start();
    expectWhole(output, await replayOf(turnId));
    expect(output.silentMs).toBeLessThan(7_500);
  });
});
