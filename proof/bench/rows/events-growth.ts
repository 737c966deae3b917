import { until } from '@switchyard/testing';
import { atMost, median, throughput } from '../measure';
import type { BenchContext, BenchRow, Measured } from '../row';
import { ONE_SERVICE } from '../shape';
import { type EventsGround, analyze, prepareGround, settled } from './events-ground';
import { payloadOf, subscribeCustomers } from './events-scene';

const ROUNDS = 5;
const TIMES = 400;
const CALLERS = 32;
const LOG_SIZES = [10_000, 100_000, 1_000_000] as const;
const SUBSCRIPTIONS = [1, 100, 10_000] as const;

/** Milliseconds that an emission costs, from the first call to the last dispatch; one subscription matches. */
async function costMs({ scene, overBus }: EventsGround): Promise<number> {
  const emit = (): Promise<unknown> => overBus(payloadOf('c-1'));
  // The first one after a change of the subscriptions reads them; it is measured by itself.
  await emit();
  await settled(scene);
  const from = Date.now();
  await throughput(TIMES, CALLERS, emit);
  await until(
    async () => {
      const [row] = await scene.platform.database.query<{ left: number }>(
        `select count(*)::int as left from event_bus.emissions where status = 'PENDING'`,
      );
      return row?.left === 0;
    },
    { timeoutMs: 120_000, everyMs: 5 },
  );
  const cost = (Date.now() - from) / TIMES;
  await settled(scene);
  return cost;
}

/** Old emissions of another Space and of this one, half and half, as a year would leave them. */
async function fillLog({ scene }: EventsGround, rows: number): Promise<void> {
  await scene.platform.database.query(
    `insert into event_bus.emissions (space_id, id, lane, app_identifier, event, event_id, payload, source, status, matched_subscriptions, idempotency_key,
                                      fingerprint, correlation_id, depth, emitted_at, dispatched_at)
     select case when n % 2 = 0 then $1::uuid else $2::uuid end, gen_random_uuid(), 1, 'bench', 'order', $3, '{"order":"o","customer":"c","total":1}', 'app', 'DISPATCHED', 1,
            gen_random_uuid()::text, 'f', gen_random_uuid(), 0, now() - n * interval '30 seconds', now()
       from generate_series(1, $4::int - (select count(*)::int from event_bus.emissions)) n`,
    [scene.space.id, '00000000-0000-7000-8000-000000000000', scene.eventId, rows],
  );
}

async function bySubscriptions(ground: EventsGround, report: (line: string) => void): Promise<Measured[]> {
  const seen = new Map<number, number[]>(SUBSCRIPTIONS.map((count) => [count, []]));
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [count, costs] of seen) {
      await subscribeCustomers(ground.scene, count);
      const cost = await costMs(ground);
      if (round > 0) costs.push(cost);
    }
  return compared('subscriptions', seen, report);
}

async function byLogSize(ground: EventsGround, report: (line: string) => void): Promise<Measured[]> {
  const seen = new Map<number, number[]>();
  await subscribeCustomers(ground.scene, 1);
  for (const size of LOG_SIZES) {
    await fillLog(ground, size);
    // A year's rows come within a minute here: what that stirs up in the server is not what is measured.
    await ground.scene.platform.database.query('vacuum (analyze) event_bus.emissions');
    await ground.scene.platform.database.query('checkpoint');
    await costMs(ground);
    const costs: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) costs.push(await costMs(ground));
    seen.set(size, costs);
  }
  return compared('envelopes in the log', seen, report);
}

/** Each size beside the one before. */
function compared(
  what: string,
  seen: ReadonlyMap<number, readonly number[]>,
  report: (line: string) => void,
): Measured[] {
  const sizes = [...seen].map(([size, costs]) => ({ size, cost: median(costs) }));
  for (const { size, cost } of sizes) report(`${size} ${what}: ${cost.toFixed(2)} ms an emission, to its dispatch`);
  return sizes.slice(1).map(({ size, cost: ours }, at) => {
    const { size: before = NaN, cost: theirs = NaN } = sizes[at] ?? {};
    return atMost(1.3, { what: `emission, ${size} ${what}`, beside: `${before}`, unit: 'ms', ours, theirs });
  });
}

/** Cost of an emission as the data grows ten- and a hundredfold. Slow: run by name only. */
export const eventsGrowth: BenchRow = {
  name: 'events-growth',
  shapes: ONE_SERVICE,
  onlyByName: true,
  async run(context: BenchContext): Promise<Measured[]> {
    const ground = await prepareGround(context);
    try {
      await throughput(500, CALLERS, ground.overBus);
      await settled(ground.scene);
      await analyze(ground.scene);
      return [...(await bySubscriptions(ground, context.report)), ...(await byLogSize(ground, context.report))];
    } finally {
      await ground.stop();
    }
  },
};
