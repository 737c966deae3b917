import { randomBytes } from 'node:crypto';
import { migrate, prepareDatabase, serviceUrl } from '@switchyard/database';
import {
  AdminDatabase,
  Client,
  type ExtraGateway,
  type ExtraProcess,
  NO_NATS,
  type TestPlatform,
  freePort,
  startGateway,
  startProcess,
} from '@switchyard/testing';
import { migrations } from '../src/db/migrations';

/**
 * A key service on a database of its own, and a gateway that knows no other: what is done to its signing keys
 * hurts no other test. They speak over the internal port, so only credential checks and the JWKS work there.
 */
export interface LoneKeyService {
  database: AdminDatabase;
  gateway: ExtraGateway;
  restart(env?: NodeJS.ProcessEnv): Promise<void>;
  stop(): Promise<void>;
}

/** Settings of the two processes beside those that every one of them needs. */
interface LoneSettings {
  key?: NodeJS.ProcessEnv;
  gateway?: NodeJS.ProcessEnv;
}

export async function startLoneKeyService(platform: TestPlatform, own: LoneSettings = {}): Promise<LoneKeyService> {
  const name = `lone_${randomBytes(6).toString('hex')}`;
  await platform.database.query(`create database ${name}`);
  const adminUrl = new URL(platform.state.databaseUrl);
  adminUrl.pathname = `/${name}`;
  const login = { service: 'key', password: randomBytes(16).toString('hex') };
  await prepareDatabase(adminUrl.href, [login]);
  await migrate(adminUrl.href, { service: 'key', migrations });

  const database = new AdminDatabase(() => adminUrl.href);
  const port = String(await freePort());
  const settings = {
    DATABASE_URL: serviceUrl(adminUrl.href, login),
    KEY_PEPPERS: platform.state.secrets.keyPeppers,
    DATA_KEY: platform.state.secrets.services.key?.dataKey,
    BOOTSTRAP_PASSWORD: 'a quite long password',
    NATS_URL: NO_NATS,
    INTERNAL_PORT: port,
    ...own.key,
  };
  const probe = new Client(`http://127.0.0.1:${port}`, null);
  // Without NATS it is never wholly ready; the owner it makes at its start tells that it works.
  const isUp = async (): Promise<boolean> =>
    (await probe.raw('GET', '/health/live')).status === 200 &&
    (await database.query('select 1 from key.members')).length > 0;
  const start = (env: NodeJS.ProcessEnv = {}): Promise<ExtraProcess> =>
    startProcess(platform, 'key', { ...settings, ...env }, isUp);

  let service = await start();
  const gateway = await startGateway(platform, {
    NATS_URL: NO_NATS,
    INTERNAL_URLS: JSON.stringify({ key: probe.host }),
    ...own.gateway,
  });
  return {
    database,
    gateway,
    restart: async (env) => {
      await service.stop();
      service = await start(env);
    },
    stop: async () => {
      await gateway.stop();
      await service.stop();
      await database.close();
      await platform.database.query(`drop database ${name} with (force)`);
    },
  };
}
