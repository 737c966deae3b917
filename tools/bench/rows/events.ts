import { randomUUID } from 'node:crypto';
import { type Ctx, EventBusCalls, makeCtx } from '@switchyard/contracts';
import { until } from '@switchyard/testing';
import { Pool } from 'undici';
import { type Peer, startPeer } from '../../../libs/messaging/test/conformance/peer';
import { alternate, atLeast, atMost, median, throughput } from '../measure';
import { startNoOpGateway } from '../no-op-side';
import type { BenchPlace, BenchRow, Measured } from '../row';
import { BareInsert } from './events-insert';
import { type EventsScene, payloadOf, setEventsScene, subscribe, subscribeCustomers } from './events-scene';

type Emit = (payload?: Record<string, unknown>) => Promise<unknown>;

const ROUNDS = 3;

function overHttp(scene: EventsScene, pool: Pool): Emit {
  const headers = { authorization: `Bearer ${scene.key}`, 'content-type': 'application/json' };
  return async (payload = payloadOf()) => {
    const body = JSON.stringify({
      appIdentifier: scene.appIdentifier,
      event: 'order',
      payload,
      idempotencyKey: randomUUID(),
    });
    const reply = await pool.request({ method: 'POST', path: '/api/events/emit', headers, body });
    const text = await reply.body.text();
    if (reply.statusCode !== 202) throw new Error(`${reply.statusCode}: ${text}`);
    return text;
  };
}

function overBus(scene: EventsScene, peer: Peer): Emit {
  const ctx = (): Ctx =>
    makeCtx({
      spaceId: scene.space.id,
      userId: null,
      role: null,
      scopes: ['events:emit'],
      credentialId: scene.applicationId,
      credentialType: 'system_key',
      applicationId: scene.applicationId,
    });
  return (payload = payloadOf()) =>
    peer.bus.call(EventBusCalls.emit, ctx(), {
      appIdentifier: scene.appIdentifier,
      event: 'order',
      payload,
      idempotencyKey: randomUUID(),
    });
}

async function settled(scene: EventsScene): Promise<void> {
  const waiting = async (): Promise<boolean> => {
    const [row] = await scene.platform.database.query<{ left: number }>(
      `select (select count(*) from event_bus.emissions where status = 'PENDING')::int + (select count(*) from event_bus.outbox)::int
            + (select count(*) from task.outbox)::int + (select count(*) from task.executions where status in ('QUEUED', 'RUNNING'))::int as left`,
    );
    return row?.left === 0;
  };
  await until(waiting, { timeoutMs: 180_000, everyMs: 100 });
}

/** How many a second are recorded: on the disk, before anything is dispatched. */
async function acknowledged(
  scene: EventsScene,
  bare: BareInsert,
  emit: Emit,
  way: string,
  callers: number,
  target: number,
): Promise<Measured> {
  const times = Math.min(4000, callers * 60 + 300);
  const pair = await alternate(
    ROUNDS,
    async () => {
      const rate = await throughput(times, callers, emit);
      await settled(scene);
      return rate;
    },
    () => throughput(times, callers, () => bare.insert(scene.space.id, payloadOf())),
  );
  return atLeast(target, {
    what: `emit ${way}, ${callers} callers`,
    beside: 'bare group-commit insert',
    unit: 'emissions/s',
    ...pair,
  });
}

/** From the call to the row of its run, one emission at a time. */
async function toExecution(scene: EventsScene, emit: Emit, times: number): Promise<number> {
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
  scene: EventsScene,
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

/** Milliseconds that an emission costs, from the first call to the last dispatch, with so many subscriptions of which one matches. */
async function costWith(scene: EventsScene, emit: Emit, customers: number): Promise<number> {
  await subscribeCustomers(scene, customers);
  const times = 400;
  const from = Date.now();
  await throughput(times, 32, () => emit(payloadOf('c-1')));
  await until(
    async () => {
      const [row] = await scene.platform.database.query<{ left: number }>(
        `select count(*)::int as left from event_bus.emissions where status = 'PENDING'`,
      );
      return row?.left === 0;
    },
    { timeoutMs: 120_000, everyMs: 10 },
  );
  const cost = (Date.now() - from) / times;
  await settled(scene);
  return cost;
}

async function growth(scene: EventsScene, emit: Emit, report: (line: string) => void): Promise<Measured[]> {
  await costWith(scene, emit, 1);
  const seen = new Map<number, number[]>([
    [1, []],
    [100, []],
    [10_000, []],
  ]);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [count, costs] of seen) costs.push(await costWith(scene, emit, count));
  const cost = (count: number): number => median(seen.get(count) ?? []);
  for (const count of seen.keys())
    report(`${count} subscriptions: ${cost(count).toFixed(2)} ms an emission, to its dispatch`);
  const beside = (few: number): object => ({ beside: `${few} subscriptions`, theirs: cost(few), unit: 'ms' });
  return [
    atMost(1.3, { what: 'emission with 100 subscriptions', ours: cost(100), ...beside(1) } as Parameters<
      typeof atMost
    >[1]),
    atMost(1.3, { what: 'emission with 10,000 subscriptions', ours: cost(10_000), ...beside(100) } as Parameters<
      typeof atMost
    >[1]),
  ];
}

export const events: BenchRow = {
  name: 'events',
  async run({ state, report }: BenchPlace): Promise<Measured[]> {
    const scene = await setEventsScene();
    const bare = await BareInsert.start(state.databaseUrl);
    const gateway = await startNoOpGateway(state);
    const services = Object.entries(state.secrets.services);
    const peer = await startPeer({
      service: 'gateway',
      natsUrl: state.natsUrl,
      nkeySeed: state.secrets.services.gateway?.nats.seed,
      keys: {
        privateKeys: Object.fromEntries(services.map(([name, each]) => [name, each.privateKey])),
        publicKeys: Object.fromEntries(services.map(([name, each]) => [name, each.publicKey])),
      },
    });
    const pool = new Pool(gateway.ready, { connections: 128 });
    const http = overHttp(scene, pool);
    const measured: Measured[] = [];
    try {
      for (const [callers, target] of [
        [1, 0.1],
        [32, 0.3],
        [128, 0.3],
      ] as const)
        measured.push(await acknowledged(scene, bare, http, 'over HTTP', callers, target));
      for (const [callers, target] of [
        [32, 0.5],
        [128, 0.5],
      ] as const)
        measured.push(await acknowledged(scene, bare, overBus(scene, peer), 'at the service', callers, target));
      await subscribe(scene);
      await toExecution(scene, http, 30);
      const p50 = await toExecution(scene, http, 200);
      measured.push({
        what: 'emit to run created, p50',
        beside: '-',
        ours: p50,
        theirs: NaN,
        unit: 'ms',
        ratio: NaN,
        target: '<= 15',
        met: p50 <= 15,
      });
      for (const callers of [1, 32, 128]) {
        const { created, done } = await triggered(scene, http, callers === 1 ? 300 : 2000, callers);
        report(`${callers} callers: ${created.toFixed(0)} runs created a second, ${done.toFixed(0)} done`);
      }
      measured.push(...(await growth(scene, http, report)));
      return measured;
    } finally {
      await pool.close();
      await peer.stop();
      gateway.stop();
      await bare.stop();
      await scene.platform.database.close();
    }
  },
};
