import { acknowledgementSubject, deliverySubject } from '@switchyard/messaging';
import { until } from '@switchyard/testing';
import type { QueryResultRow } from 'pg';
import { bareClient } from '../../../libs/messaging/test/conformance/bare-client';
import { CpuPerOperation, oursUs } from '../cpu';
import { startGatewayPeer } from '../gateway-peer';
import { alternate, atLeast, atMost, throughput } from '../measure';
import { untilQuiet } from '../quiet';
import type { BenchContext, Measured } from '../row';
import { SideProcess } from '../side-process';
import { overBus, settled } from './events-ground';
import { type EventsScene, setEventsScene } from './events-scene';
import { accountIn } from './nats-account';

const ROUNDS = 5;
const DELIVERIES = 4_000;
const REQUESTS = 20_000;
const IN_FLIGHT = 64;
const CALLERS = 32;
const BASELINE = 'bare NATS request, same body';

const OF_ENDPOINT = 'select settled_at from event_bus.endpoint_deliveries where endpoint_id = $1';

/** An endpoint of the account that takes the events of the scene. */
async function endpointOf({ space, appIdentifier }: EventsScene, natsAccountId: string): Promise<string> {
  const body = { name: 'bench', transport: 'nats', natsAccountId, inFlight: IN_FLIGHT };
  const made = await space.owner.post('/events/endpoints', body);
  if (made.status !== 201) throw new Error(`no endpoint was made: ${JSON.stringify(made.body)}`);
  const { id } = (made.body as { data: { id: string } }).data;
  const subscription = { appIdentifier, event: 'order', endpointId: id };
  const subscribed = await space.owner.post('/events/subscriptions', subscription);
  if (subscribed.status !== 201) throw new Error(`no subscription was made: ${JSON.stringify(subscribed.body)}`);
  return id;
}

/** The deliveries of one endpoint, as its database has them. */
class Deliveries {
  constructor(
    private readonly scene: EventsScene,
    private readonly endpointId: string,
  ) {}

  /** Emits them, and leaves them waiting. */
  async prepare(emit: () => Promise<unknown>): Promise<void> {
    await this.allow(`now() + interval '1 day'`);
    await throughput(DELIVERIES, CALLERS, emit);
    await settled(this.scene);
    await untilQuiet();
  }

  /** Sends them; how many a second are acknowledged, from the first to the last. */
  async send(): Promise<number> {
    const [before] = await this.scene.platform.database.query<{ now: Date }>('select clock_timestamp() as now');
    await this.allow('null');
    await until(async () => (await this.query(`${OF_ENDPOINT} and status = 'PENDING' limit 1`)).length === 0, {
      timeoutMs: 120_000,
      everyMs: 250,
    });
    const [row] = await this.query<{ sent: number; seconds: number }>(
      `select count(*)::int as sent, extract(epoch from max(settled_at) - min(settled_at))::float8 as seconds
         from (${OF_ENDPOINT} and status = 'DELIVERED' and settled_at > $2) d`,
      before?.now,
    );
    if (row?.sent !== DELIVERIES) throw new Error(`${row?.sent ?? 0} of ${DELIVERIES} deliveries were acknowledged`);
    return (row.sent - 1) / row.seconds;
  }

  private allow(from: string): Promise<unknown> {
    return this.query(`update event_bus.endpoints set next_try_at = ${from} where id = $1`);
  }

  private query<Row extends QueryResultRow>(sql: string, ...more: unknown[]): Promise<Row[]> {
    return this.scene.platform.database.query<Row>(sql, [this.endpointId, ...more]);
  }
}

/**
 * Envelopes that a service acknowledges at once, beside bare requests to the same service over the same server. The
 * envelopes are emitted before: what is measured is their way from Postgres to the service and back.
 */
export async function natsDeliveries({ state, report }: BenchContext): Promise<Measured[]> {
  const scene = await setEventsScene();
  const account = await accountIn(scene.space, state.databaseUrl);
  const listener = await SideProcess.start('nats-listener', {
    ...process.env,
    NATS_URL: state.natsApiUrl,
    NATS_ACCOUNT: account.id,
    NATS_SEED: account.seed,
  });
  const peer = await startGatewayPeer(state);
  // With the rights that the event bus has.
  const bare = await bareClient(state.natsApiUrl, {
    id: account.id,
    seed: state.secrets.natsApi.seed,
    inboxPrefix: `${acknowledgementSubject(account.id)}.bench`,
  });
  try {
    const deliveries = new Deliveries(scene, await endpointOf(scene, account.id));
    const emit = overBus(scene, peer);
    await deliveries.prepare(emit);
    await deliveries.send();
    const body = 'x'.repeat(Number(await listener.ask('size')));
    const subject = `${deliverySubject(account.id)}.bare`;
    const { postgres, 'event-bus': eventBus, nats, 'nats-services': server } = state.pids;
    const ours = new CpuPerOperation({ 'event-bus': eventBus, postgres, nats, 'nats-services': server });
    const theirs = new CpuPerOperation({ bare: process.pid, 'nats-services': server });
    const pair = await alternate(
      ROUNDS,
      async () => {
        await deliveries.prepare(emit);
        return ours.during(DELIVERIES, () => deliveries.send());
      },
      () =>
        theirs.during(REQUESTS, () =>
          throughput(REQUESTS, IN_FLIGHT, () => bare.request(subject, body, { timeout: 10_000 })),
        ),
    );
    const cpu = ours.result();
    report(
      `deliveries of ${body.length} bytes: ${pair.ours.toFixed(0)} beside ${pair.theirs.toFixed(0)} bare requests`,
    );
    const what = `acknowledged delivery over NATS, ${IN_FLIGHT} in flight`;
    return [
      atLeast(0.02, { what, beside: BASELINE, unit: 'a second', ...pair }),
      atMost(20, {
        what: 'acknowledged delivery over NATS, processor time',
        beside: BASELINE,
        unit: 'us',
        cpu,
        ours: oursUs(cpu),
        theirs: oursUs(theirs.result()),
      }),
    ];
  } finally {
    await bare.close();
    await peer.stop();
    listener.stop();
    await scene.platform.database.close();
  }
}
