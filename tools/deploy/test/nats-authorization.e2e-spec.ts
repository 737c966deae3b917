import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@switchyard/testing';
import { type NatsConnection, connect, nkeyAuthenticator } from 'nats';
import { openHome } from '../../launcher/home/home';
import { loadSecrets } from '../../launcher/home/secrets';
import { freePort } from '../../launcher/ports';
import { findBinary } from '../../launcher/servers/binaries';
import { writeSecrets } from '../kubernetes-secrets';

// A server that somebody else configures, who takes the users from us: the shared one has our whole configuration.
const folder = mkdtempSync(join(tmpdir(), 'nats-users-'));
let server: ChildProcess;
let url: string;

beforeAll(async () => {
  const elsewhere = { DATABASE_ADMIN_URL: 'postgres://a:b@db/x', NATS_URL: 'nats://nats', REDIS_URL: 'redis://redis' };
  writeSecrets(folder, elsewhere);
  const port = await freePort();
  url = `nats://127.0.0.1:${port}`;
  const theirs = `host: "127.0.0.1"\nport: ${port}\njetstream { store_dir: "${folder}/data" }\n`;
  writeFileSync(join(folder, 'theirs.conf'), `${theirs}include "./authorization.conf"\n`);
  const command = findBinary('nats-server') ?? 'nats-server';
  server = spawn(command, ['-c', join(folder, 'theirs.conf')], { stdio: 'ignore' });
  await until(async () => (await asOperator()).close().then(() => true));
});

afterAll(async () => {
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
  rmSync(folder, { recursive: true, force: true });
});

const as = (seed: string): Promise<NatsConnection> =>
  connect({
    servers: url,
    authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
    waitOnFirstConnect: false,
    reconnect: false,
  });

const asOperator = (): Promise<NatsConnection> => as(readFileSync(join(folder, 'nats-operator.nk'), 'utf8').trim());

test('services log in with their own keys, and nobody without one', async () => {
  const { services } = loadSecrets(openHome(folder), {});
  for (const { nats } of Object.values(services)) await (await as(nats.seed)).close();
  await expect(connect({ servers: url, reconnect: false })).rejects.toThrow(/Authorization/i);
});

test('an operator looks after streams, and can neither say nor hear what services do', async () => {
  const operator = await asOperator();
  const manager = await operator.jetstreamManager();
  await manager.streams.add({ name: 'EVENTS', subjects: ['event.>'] });
  expect(await manager.streams.list().next()).toMatchObject([{ config: { name: 'EVENTS' } }]);
  const heard: string[] = [];
  operator.subscribe('event.>', { callback: (error) => heard.push(error?.code ?? 'a message') });
  operator.publish('event.test', 'forged');
  await operator.flush();
  await until(() => heard.length > 0);
  expect(heard).toEqual(['PERMISSIONS_VIOLATION']);
  expect((await manager.streams.info('EVENTS')).state.messages).toBe(0);
  await operator.close();
});
