import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { serviceUrl } from '@switchyard/database';
import { type ExtraProcess, freePort, startProcess, until, usePlatform } from '@switchyard/testing';
import { connect } from 'nats';
import { fetch } from 'undici';
import { NatsProcess } from '../../../libs/messaging/test/conformance/nats-process';
import { runToEnd } from '../../launcher/processes/transient';

const platform = usePlatform();
const name = `streams_${randomBytes(6).toString('hex')}`;
const login = { service: 'key', password: randomBytes(16).toString('hex') };
let nats: NatsProcess;
let adminUrl: string;
let key: ExtraProcess | undefined;

beforeAll(async () => {
  nats = await NatsProcess.start();
  await platform.database.query(`create database ${name}`);
  const url = new URL(platform.state.databaseUrl);
  url.pathname = `/${name}`;
  adminUrl = url.href;
});

afterAll(async () => {
  await key?.stop();
  await nats.remove();
});

/** As the Job `migrate` runs it. */
async function migrate(settings: NodeJS.ProcessEnv): Promise<string> {
  const logins = JSON.stringify({ [login.service]: login.password });
  const env = { PATH: process.env.PATH, DATABASE_ADMIN_URL: adminUrl, DATABASE_LOGINS: logins, ...settings };
  const { code, stdout, stderr } = await runToEnd(process.execPath, [resolve('dist/tools/deploy/prepare.js')], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

interface Ready {
  ready: boolean;
  dependencies: { streams?: { up: boolean; required: boolean; detail?: string } };
}

test('a service that finds no stream is not ready and names the command, until the migration has run', async () => {
  const connection = await connect({ servers: nats.url });
  const { streams } = await connection.jetstreamManager();
  await streams.delete('EVENTS');
  // A Secret of the version before knows no login for the streams.
  expect(await migrate({ NATS_URL: nats.url })).toContain('no NATS_MIGRATION_SEED');
  const port = await freePort();
  const look = async (): Promise<{ status: number; body: Ready }> => {
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`);
    return { status: answer.status, body: (await answer.json()) as Ready };
  };
  const { keyPeppers, services } = platform.state.secrets;
  const settings = {
    NATS_URL: nats.url,
    NATS_NKEY_SEED: '',
    DATABASE_URL: serviceUrl(adminUrl, login),
    INTERNAL_PORT: String(port),
    KEY_PEPPERS: keyPeppers,
    DATA_KEY: services['key']?.dataKey,
  };
  const isMissed = async (): Promise<boolean> => (await look()).body.dependencies.streams?.up === false;
  key = await startProcess(platform, 'key', settings, isMissed);
  expect(await look()).toMatchObject({
    status: 503,
    body: {
      ready: false,
      dependencies: {
        streams: { required: true, detail: expect.stringMatching(/^EVENTS: .*dist\/tools\/deploy\/streams\.js/) as string },
      },
    },
  });
  await expect(streams.info('EVENTS')).rejects.toThrow('stream not found');
  const { seed } = platform.state.secrets.natsMigration;
  expect(await migrate({ NATS_URL: nats.url, NATS_MIGRATION_SEED: seed })).toContain('EVENTS: has 1');
  await until(async () => (await look()).status === 200);
  await connection.close();
});
