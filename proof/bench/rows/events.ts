import { CpuPerOperation, cpuText, oursUs } from '../cpu';
import { alternate, atLeast, median, throughput } from '../measure';
import type { BenchContext, BenchRow, Measured } from '../row';
import { type Emit, type EventsGround, analyze, prepareGround, settled } from './events-ground';
import { EventBusSide } from './events-inside';
import { type QueueName, startQueue } from './events-queues';
import { payloadOf, subscribe } from './events-scene';

const ROUNDS = 7;
/** By then the code on the way is compiled. */
const WARM_UP = 20_000;

type Rate = (times: number, callers: number) => Promise<number>;

/** How many a second are recorded: on the disk, before anything is dispatched. */
async function recorded(
  { scene, bare, pids }: EventsGround,
  rate: Rate,
  { way, callers, target }: { way: string; callers: number; target: number },
): Promise<Measured> {
  const times = Math.min(6000, callers * 60 + 400);
  const cpu = new CpuPerOperation(pids);
  const pair = await alternate(
    ROUNDS,
    async () => {
      let measured = NaN;
      await cpu.during(times, async () => {
        measured = await rate(times, callers);
        await settled(scene);
      });
      return measured;
    },
    () => throughput(times, callers, () => bare.insert(scene.space.id, scene.eventId, payloadOf())),
  );
  return atLeast(target, {
    what: `emit ${way}, ${callers} callers`,
    beside: 'bare group-commit insert',
    unit: 'emissions/s',
    cpu: cpu.result(),
    ...pair,
  });
}

const by =
  (emit: Emit): Rate =>
  (times, callers) =>
    throughput(times, callers, emit);

/** Through the gateway, over the bus as another service asks, and inside the event bus. */
async function recordedEverywhere(ground: EventsGround, { state, report }: BenchContext): Promise<Measured[]> {
  const measured: Measured[] = [];
  const take = async (
    rate: Rate,
    way: string,
    callers: number,
    target: number,
    side?: { [name: string]: number | undefined },
  ): Promise<void> => {
    const row = await recorded({ ...ground, pids: { ...ground.pids, ...side } }, rate, { way, callers, target });
    report(`${row.what}: ${row.ours.toFixed(0)} beside ${row.theirs.toFixed(0)}; ${cpuText(row.cpu ?? {})}`);
    measured.push(row);
  };
  for (const [callers, target] of [
    [1, 0.1],
    [32, 0.15],
    [128, 0.13],
  ] as const)
    await take(by(ground.overHttp), 'over HTTP', callers, target);
  // A request and its reply over NATS alone cost as much as four such inserts, an authenticated request of HTTP as much
  // again: the high target stands for the service itself.
  for (const callers of [32, 128]) await take(by(ground.overBus), 'over the bus', callers, 0.1);
  const side = await EventBusSide.start(state, ground.scene);
  try {
    for (const callers of [32, 128])
      await take(
        (times) => side.recordedPerSecond(callers, times),
        'at the service',
        callers,
        callers === 32 ? 0.55 : 0.5,
        {
          'event-bus (bench)': side.pid,
        },
      );
  } finally {
    await side.end();
  }
  return measured;
}

/** From the call to the row of its run, one emission at a time. */
async function latencyMs({ scene }: EventsGround, emit: Emit, times: number): Promise<number> {
  const sentAt = new Map<string, number>();
  for (let n = 0; n < times; n += 1) {
    const payload = payloadOf();
    sentAt.set(payload.order as string, performance.timeOrigin + performance.now());
    await emit(payload);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  await settled(scene);
  const rows = await scene.platform.database.query<{ order: string; at: number }>(
    `select inputs->'trigger'->'payload'->>'order' as order, extract(epoch from created_at)::float8 * 1000 as at
       from task.executions where space_id = $1 order by id desc limit $2`,
    [scene.space.id, times],
  );
  return median(rows.flatMap(({ order, at }) => (sentAt.has(order) ? [at - (sentAt.get(order) ?? 0)] : [])));
}

/** From the first call to the last run that is there, and to the last one that is through. */
async function triggered(
  { scene }: EventsGround,
  emit: Emit,
  times: number,
  callers: number,
): Promise<{ created: number; done: number }> {
  const [before] = await scene.platform.database.query<{ now: Date }>('select clock_timestamp() as now');
  await throughput(times, callers, emit);
  await settled(scene);
  const [row] = await scene.platform.database.query<{ created: number; done: number; runs: number }>(
    `select count(*)::int as runs, extract(epoch from max(created_at) - $2)::float8 as created, extract(epoch from max(finished_at) - $2)::float8 as done
       from task.executions where space_id = $1 and created_at > $2`,
    [scene.space.id, before?.now],
  );
  if (row?.runs !== times) throw new Error(`${row?.runs ?? 0} runs of ${times} emissions`);
  return { created: times / row.created, done: times / row.done };
}

const QUEUES: readonly { name: QueueName; beside: string; target: number }[] = [
  { name: 'bullmq', beside: 'BullMQ, AOF at every write', target: 0.35 },
  { name: 'pg-boss', beside: 'pg-boss', target: 3 },
  { name: 'graphile-worker', beside: 'graphile-worker with its local queue', target: 2.5 },
];
const CALLERS = 32;
/** At least a second of either side; pg-boss looks for jobs every half second. */
const JOBS = 6_000;

/** From the call to the end of the run, or of the handler; theirs are libraries, so ours is called without the gateway as well. */
async function againstQueues(ground: EventsGround, { state, report }: BenchContext): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const { name, beside: open, target } of QUEUES) {
    const queue = await startQueue(name, state.databaseUrl).catch((error: unknown) => {
      report(`${open}: not measured, ${String(error)}`);
      return null;
    });
    if (queue === null) continue;
    try {
      const cpu = new CpuPerOperation(ground.pids);
      const pair = await alternate(
        ROUNDS,
        async () => (await cpu.during(JOBS, () => triggered(ground, ground.overBus, JOBS, CALLERS))).done,
        () => queue.throughput(JOBS, CALLERS),
      );
      const what = `emit to run done, ${CALLERS} callers`;
      measured.push(atLeast(target, { what, beside: open, unit: 'runs/s', cpu: cpu.result(), ...pair }));
      report(`${what}: ${pair.ours.toFixed(0)} beside ${pair.theirs.toFixed(0)} of ${open}; ${cpuText(cpu.result())}`);
      if (name === 'bullmq') measured.push(costOfRun(cpu.result()));
      report(`${open}: one at a time, ${(await queue.latencyMs(100)).toFixed(1)} ms to its handler`);
    } finally {
      await queue.stop();
    }
  }
  return measured;
}

/** Emission, delivery and run, in all processes. */
function costOfRun(cpu: Readonly<Record<string, number>>): Measured {
  const ours = oursUs(cpu);
  const shape = { beside: '-', theirs: NaN, unit: 'us of CPU', ratio: NaN } as const;
  return {
    what: 'an emission and its run',
    ...shape,
    ours,
    target: '<= 650 us',
    judged: 'ours',
    met: ours <= 650,
    cpu,
  };
}

async function latency(ground: EventsGround): Promise<Measured> {
  await latencyMs(ground, ground.overHttp, 30);
  const ours = await latencyMs(ground, ground.overHttp, 150);
  const shape = { beside: '-', theirs: NaN, unit: 'ms', ratio: NaN };
  return {
    what: 'emit over HTTP to run created, p50',
    ...shape,
    ours,
    target: '<= 15 ms',
    judged: 'ours',
    met: ours <= 15,
  };
}

/** From the call to the record, and from the record to the run. */
export const events: BenchRow = {
  name: 'events',
  async run(context: BenchContext): Promise<Measured[]> {
    const ground = await prepareGround(context);
    const measured: Measured[] = [];
    try {
      await throughput(WARM_UP, CALLERS, ground.overHttp);
      await settled(ground.scene);
      await analyze(ground.scene);
      measured.push(...(await recordedEverywhere(ground, context)));
      await subscribe(ground.scene);
      await triggered(ground, ground.overHttp, 500, CALLERS);
      await analyze(ground.scene);
      measured.push(await latency(ground));
      for (const callers of [1, 32, 128]) {
        const { created, done } = await triggered(ground, ground.overHttp, callers === 1 ? 150 : JOBS, callers);
        context.report(
          `over HTTP, ${callers} callers: ${created.toFixed(0)} runs created a second, ${done.toFixed(0)} done`,
        );
      }
      measured.push(...(await againstQueues(ground, context)));
      return measured;
    } finally {
      await ground.stop();
    }
  },
};
