import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { natsServerConfig } from '@switchyard/messaging';
import { freePort, until, usePlatform } from '@switchyard/testing';
import { connect as connectNats, nkeyAuthenticator } from 'nats';
import Redis from 'ioredis';
import { databasePasswords, databaseUrlsOf, plainEnv, secretEnv } from '../../deploy/container-env';
import { prepare } from '../../deploy/prepare';
import { natsUsersOf } from '../../launcher/home/nats-users';
import { redisUsers } from '../../launcher/home/redis-users';
import type { Secrets } from '../../launcher/home/secrets';
import { SERVICES, type ServiceName } from '../../launcher/service-names';
import { type RotationStep, changeSecrets } from '../change-secrets';
import { RotationLoad } from './rotation-load';

const platform = usePlatform();
/** So many services are replaced at the same time. */
const TOGETHER = 3;

/** Second replicas, by their names in the platform. */
const SECOND = '-2';

/**
 * Follows docs/operate/secrets.md with two replicas of each service. In each step, all second replicas take the new
 * values and work with the first ones, which have the old values, before these take them too.
 */
describe('secrets that are rotated under load', () => {
  const before = JSON.parse(readFileSync(path.join(platform.state.home, 'secrets.json'), 'utf8')) as Secrets;
  let secrets = before;
  let load: RotationLoad;
  let secondPort: number;

  beforeAll(async () => {
    load = await RotationLoad.start(platform);
    secondPort = await freePort();
    await take(SECOND);
    await load.more();
  }, 300_000);

  afterAll(async () => {
    await letServersTake(before);
    await Promise.all(SERVICES.map((service) => platform.service(`${service}${SECOND}`).stop()));
    await Promise.all(SERVICES.map((service) => platform.service(service).restart()));
    await Promise.all(SERVICES.map((service) => platform.service(service).ready()));
  }, 300_000);

  /** Variables of a deployment that contain the secrets. */
  function settingsOf(service: ServiceName): Record<string, string> {
    const { databaseUrl: adminUrl, natsUrl, redisUrl } = platform.state;
    const redis = new URL(redisUrl);
    redis.password = secrets.redisPassword;
    const { SERVICE_PUBLIC_KEYS, REDIS_URL } = plainEnv(service, secrets, { natsUrl, redisUrl: redis.href });
    const databaseUrls = databaseUrlsOf(adminUrl, databasePasswords(secrets));
    return {
      ...secretEnv(service, secrets, { databaseUrls }),
      ...(SERVICE_PUBLIC_KEYS ? { SERVICE_PUBLIC_KEYS } : {}),
      ...(REDIS_URL ? { REDIS_URL } : {}),
    };
  }

  /** Restarts these replicas of the services, one after the other, with the secrets as they are now. */
  async function take(replica: '' | typeof SECOND, services: readonly ServiceName[] = SERVICES): Promise<void> {
    for (let at = 0; at < services.length; at += TOGETHER)
      await Promise.all(
        services.slice(at, at + TOGETHER).map(async (service) => {
          const handle = platform.service(`${service}${replica}`);
          const isOther = service === 'gateway' && replica === SECOND;
          await handle.restart({ ...settingsOf(service), ...(isOther ? { GATEWAY_PORT: String(secondPort) } : {}) });
          await handle.ready();
          if (isOther) load.hosts.add(`http://127.0.0.1:${secondPort}`);
        }),
      );
  }

  /** Old and new values work together before all replicas have the new ones. */
  async function takeAll(services?: readonly ServiceName[]): Promise<void> {
    for (const replica of [SECOND, ''] as const) {
      await take(replica, services);
      await load.more();
    }
  }

  async function letServersTake(of: Secrets): Promise<void> {
    const { home, natsUrl, databaseUrl } = platform.state;
    const port = Number(new URL(natsUrl).port);
    const storeDir = path.join(home, 'nats/store');
    writeFileSync(
      path.join(home, 'nats/nats.conf'),
      natsServerConfig({ host: '127.0.0.1', port, storeDir, ...natsUsersOf(of) }),
    );
    process.kill(platform.server('nats').pid ?? 0, 'SIGHUP');
    const { nats, nextNats } = of.services.key;
    await until(() => logIn((nextNats ?? nats).seed));
    await prepare(databaseUrl, databasePasswords(of));
    writeFileSync(path.join(home, 'redis/users.acl'), redisUsers(of));
    await withRedis(secrets.redisPassword, (redis) => redis.acl('LOAD'));
  }

  async function logIn(seed: string): Promise<boolean> {
    const authenticator = nkeyAuthenticator(new TextEncoder().encode(seed));
    const options = { servers: platform.state.natsUrl, authenticator, reconnect: false, inboxPrefix: '_INBOX_key' };
    await (await connectNats(options)).close();
    return true;
  }

  async function withRedis<T>(password: string, work: (redis: Redis) => Promise<T>): Promise<T> {
    const url = new URL(platform.state.redisUrl);
    url.password = password;
    const redis = new Redis(url.href, { maxRetriesPerRequest: 0, retryStrategy: () => null, lazyConnect: true });
    redis.on('error', () => undefined);
    try {
      await redis.connect();
      return await work(redis);
    } finally {
      redis.disconnect();
    }
  }

  /** Services work without Redis, so that no refused request tells of a refused password: Redis counts them. */
  const refusedByRedis = (): Promise<number> =>
    withRedis(secrets.redisPassword, async (redis) => {
      const entries = (await redis.acl('LOG')) as (string | number)[][];
      const valueOf = (entry: (string | number)[], name: string): unknown => entry[entry.indexOf(name) + 1];
      const logIns = entries.filter((entry) => valueOf(entry, 'reason') === 'auth');
      return logIns.reduce((sum, entry) => sum + Number(valueOf(entry, 'count')), 0);
    });

  const change = (step: RotationStep, ...names: string[]): void => {
    for (const name of names) secrets = changeSecrets(secrets, step, name);
  };

  it('lose no request while replicas have old and new values', async () => {
    const names = ['nats-users', 'service-keys', 'peppers', 'database-passwords', 'redis-password'];
    const refused = await refusedByRedis();
    for (const step of ['add', 'use', 'finish'] as const) {
      if (step === 'finish') await load.rotateKeys();
      change(step, ...names);
      await letServersTake(secrets);
      await takeAll();
      expect([step, load.wrong]).toEqual([step, []]);
    }
    expect(await refusedByRedis()).toBe(refused);
    await expect(logIn(before.services.key.nats.seed)).rejects.toThrow(/Authorization/i);
    await expect(withRedis(before.redisPassword, (redis) => redis.ping())).rejects.toThrow();
    expect(await refusedByRedis()).toBeGreaterThan(refused);
  }, 900_000);

  it('lose no request while signing keys move on in one replica of the key service', async () => {
    const signing = (): Promise<{ kid: string }[]> =>
      platform.database.query("select kid from key.signing_keys where stage = 'CURRENT'");
    const old = await signing();
    await platform.database.query(
      "update key.signing_keys set current_since = now() - interval '10 years' where stage = 'CURRENT'",
    );
    await take(SECOND, ['key']);
    expect(await signing()).not.toEqual(old);
    // The first replica, and both gateways, learn of it while they work.
    await load.more();
    expect(load.wrong).toEqual([]);
  }, 300_000);

  it('lose nothing that was acknowledged', async () => {
    await load.finish();
    expect(load.wrong).toEqual([]);
    const { spaceId, taskId, emitted } = load.executions;
    const counts = await until(
      async () => {
        const rows = await platform.database.query<{ status: string; count: number }>(
          'select status, count(*)::int as count from task.executions where space_id = $1 and task_id = $2 group by status',
          [spaceId, taskId],
        );
        return rows.every(({ status }) => status === 'SUCCEEDED') && (rows[0]?.count ?? 0) >= emitted ? rows : null;
      },
      { timeoutMs: 120_000 },
    );
    expect(counts).toEqual([{ status: 'SUCCEEDED', count: emitted }]);
  }, 300_000);
});
