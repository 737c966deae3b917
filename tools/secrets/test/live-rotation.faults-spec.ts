import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { natsServerConfig } from '@switchyard/messaging';
import { freePort, until, usePlatform } from '@switchyard/testing';
import { connect as connectNats, nkeyAuthenticator } from 'nats';
import Redis from 'ioredis';
import { databasePasswords, databaseUrlsOf, plainEnv, secretEnv } from '../../deploy/container-env';
import { prepare } from '../../deploy/prepare';
import { natsUsersOf } from '../../launcher/home/nats-users';
import type { Secrets } from '../../launcher/home/secrets';
import { SERVICES, type ServiceName } from '../../launcher/service-names';
import { type RotationStep, changeSecrets } from '../change-secrets';
import { RotationLoad } from './rotation-load';

const platform = usePlatform();
/** So many services are replaced at the same time. */
const TOGETHER = 3;

/** Follows docs/operate/secrets.md; before a process stops, another one is ready. */
describe('secrets that are rotated under load', () => {
  const before = JSON.parse(readFileSync(path.join(platform.state.home, 'secrets.json'), 'utf8')) as Secrets;
  let secrets = before;
  let load: RotationLoad;

  beforeAll(async () => {
    load = await RotationLoad.start(platform);
    await load.more();
  }, 300_000);

  afterAll(async () => {
    await letServersTake(before);
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

  async function replace(service: ServiceName): Promise<void> {
    const settings = settingsOf(service);
    const [old, next] = [platform.service(service), platform.service(`${service}-2`)];
    const ports = service === 'gateway' ? { GATEWAY_PORT: String(await freePort()) } : undefined;
    await next.start({ ...settings, ...ports });
    await next.ready();
    const host = `http://127.0.0.1:${ports?.GATEWAY_PORT}`;
    if (ports) load.hosts.add(host);
    await old.restart(settings);
    await old.ready();
    if (ports) load.hosts.delete(host);
    await next.stop();
  }

  async function replaceAll(services: readonly ServiceName[] = SERVICES): Promise<void> {
    for (let at = 0; at < services.length; at += TOGETHER)
      await Promise.all(services.slice(at, at + TOGETHER).map(replace));
    await load.more();
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
    await changeRedisPassword(of.redisPassword);
  }

  async function logIn(seed: string): Promise<boolean> {
    const authenticator = nkeyAuthenticator(new TextEncoder().encode(seed));
    const options = { servers: platform.state.natsUrl, authenticator, reconnect: false, inboxPrefix: '_INBOX_key' };
    await (await connectNats(options)).close();
    return true;
  }

  /** As a restart with another configuration does it: all are disconnected, and the old password is refused. */
  async function changeRedisPassword(to: string): Promise<void> {
    const url = new URL(platform.state.redisUrl);
    for (const password of [before.redisPassword, secrets.redisPassword, to]) {
      url.password = password;
      const redis = new Redis(url.href, { maxRetriesPerRequest: 0, retryStrategy: () => null, lazyConnect: true });
      redis.on('error', () => undefined);
      const isDone = await redis
        .connect()
        .then(() => redis.config('SET', 'requirepass', to))
        .then(() => redis.client('KILL', 'TYPE', 'normal', 'SKIPME', 'yes'))
        .then(
          () => true,
          () => false,
        );
      redis.disconnect();
      if (isDone) return;
    }
    throw new Error('Redis accepts none of the passwords');
  }

  const change = (step: RotationStep, ...names: string[]): void => {
    for (const name of names) secrets = changeSecrets(secrets, step, name);
  };

  it('lose no request where two values are accepted', async () => {
    const names = ['nats-users', 'service-keys', 'peppers', 'database-passwords'];
    for (const step of ['add', 'use', 'finish'] as const) {
      if (step === 'finish') await load.rotateKeys();
      change(step, ...names);
      await letServersTake(secrets);
      await replaceAll();
      expect([step, load.wrong]).toEqual([step, []]);
    }
    await expect(logIn(before.services.key.nats.seed)).rejects.toThrow(/Authorization/i);
  }, 600_000);

  it('lose no request when Redis has a new password', async () => {
    change('replace', 'redis-password');
    await letServersTake(secrets);
    await load.more();
    await replaceAll(['gateway', 'key']);
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
