import { bareClient, bareHeaders } from '../../../libs/messaging/test/conformance/bare-client';
import { NatsProcess } from '../../../libs/messaging/test/conformance/nats-process';
import { TestPlatform, until } from '@switchyard/testing';
import { CpuPerOperation, oursUs } from '../cpu';
import { HttpCaller } from '../http-caller';
import { alternate, atMost, latencyUs, throughput } from '../measure';
import { startNoOpGateway } from '../no-op-side';
import type { BenchContext, BenchRow, Measured } from '../row';
import { ONE_SERVICE } from '../shape';
import { ServicesNats } from '../services-nats';
import { SideProcess } from '../side-process';
import { accountIn } from './nats-account';
import { natsDeliveries } from './nats-deliveries';

const ROUNDS = 5;
const ALONE = 1_000;
const MANY = 6_000;
const IN_FLIGHT = 64;
const NO_OP = '/api/bench/no-op';
/** As `nats-api.md` promises: so much more than HTTP for one request alone. */
const MOST_ADDED_US = 300;

/** A request over NATS beside the same one over HTTP, and beside a bare NATS request with the same answer. */
async function natsRequests({ state }: BenchContext): Promise<Measured[]> {
  const space = await new TestPlatform().newSpace();
  const key = await space.key();
  const account = await accountIn(space, state.databaseUrl);
  const own = state.secrets.natsApi;
  const services = await ServicesNats.start({ account: account.id, publicKey: account.publicKey }, own.publicKey);
  const gateway = await startNoOpGateway(state, {
    CREDENTIAL_CACHE_MS: '60000',
    NATS_API_URL: services.url,
    NATS_API_NKEY_SEED: own.seed,
  });
  const plain = await NatsProcess.start();
  const responder = await SideProcess.start('bare-nats', { ...process.env, NATS_URL: plain.url });
  const client = await bareClient(services.url, account);
  const bare = await bareClient(plain.url);
  const http = new HttpCaller(gateway.ready);
  const headers = bareHeaders({ 'Switchyard-Method': 'GET', 'Switchyard-Path': NO_OP });
  const overNats = async (): Promise<void> => {
    const options = { timeout: 10_000, headers };
    const answer = await client.request(`switchyard.v1.${account.id}.http`, '', options);
    if (answer.headers?.get('Switchyard-Status') !== '200') throw new Error(`over NATS: ${answer.string()}`);
  };
  const overHttp = (): Promise<unknown> => http.call({ method: 'GET', path: NO_OP, key: key.credential });
  const overBare = (): Promise<unknown> => bare.request('no-op', '', { timeout: 10_000 });
  try {
    await until(() => overNats().then(() => true));
    const alone = await alternate(
      ROUNDS,
      () => latencyUs(ALONE, overNats),
      () => latencyUs(ALONE, overHttp),
    );
    const toBare = await alternate(
      ROUNDS,
      () => latencyUs(ALONE, overNats),
      () => latencyUs(ALONE, overBare),
    );
    const ours = new CpuPerOperation({ gateway: gateway.pid });
    const theirs = new CpuPerOperation({ gateway: gateway.pid });
    const many = await alternate(
      ROUNDS,
      () => ours.during(MANY, () => throughput(MANY, IN_FLIGHT, overNats)),
      () => theirs.during(MANY, () => throughput(MANY, IN_FLIGHT, overHttp)),
    );
    const cpu = ours.result();
    const cpuOver = { ours: oursUs(cpu), theirs: oursUs(theirs.result()) };
    const [same, open] = ['the same over HTTP', 'bare NATS request'];
    const added = alone.ours - alone.theirs;
    return [
      {
        what: 'request over NATS, one after the other, p50',
        beside: same,
        unit: 'us',
        ...alone,
        ratio: alone.ours / alone.theirs,
        target: `+${MOST_ADDED_US} us`,
        judged: 'added',
        met: added <= MOST_ADDED_US,
      },
      atMost(1, {
        what: 'request over NATS, processor time of the gateway',
        beside: same,
        unit: 'us',
        cpu,
        ...cpuOver,
      }),
      atMost(10, { what: 'request over NATS, one after the other, p50', beside: open, unit: 'us', ...toBare }),
      atMost(1.5, {
        what: `request over NATS, ${IN_FLIGHT} in flight, time of one`,
        beside: same,
        unit: 'us',
        ours: 1e6 / many.ours,
        theirs: 1e6 / many.theirs,
      }),
    ];
  } finally {
    await Promise.all([client, bare].map((each) => each.close()));
    await http.stop();
    responder.stop();
    gateway.stop();
    services.stop();
    await plain.remove();
  }
}

/** Requests over NATS, and deliveries. */
export const natsApi: BenchRow = {
  name: 'nats-api',
  shapes: ONE_SERVICE,
  run: async (context) => [...(await natsRequests(context)), ...(await natsDeliveries(context))],
};
