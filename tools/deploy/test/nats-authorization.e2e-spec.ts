import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@switchyard/testing';
import { createInbox, Events, type Msg, type NatsConnection, connect, nkeyAuthenticator } from 'nats';
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
  const other = { DATABASE_ADMIN_URL: 'postgres://a:b@db/x', NATS_URL: 'nats://nats', REDIS_URL: 'redis://redis' };
  writeSecrets(folder, other);
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

const as = (seed: string, inboxPrefix = '_INBOX'): Promise<NatsConnection> =>
  connect({
    servers: url,
    inboxPrefix,
    authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
    waitOnFirstConnect: false,
    reconnect: false,
  });

const asOperator = (): Promise<NatsConnection> => as(readFileSync(join(folder, 'nats-operator.nk'), 'utf8').trim());

test('services log in with their own keys, and a client without a key is refused', async () => {
  const { services } = loadSecrets(openHome(folder), {});
  for (const { nats } of Object.values(services)) await (await as(nats.seed)).close();
  await expect(connect({ servers: url, reconnect: false })).rejects.toThrow(/Authorization/i);
});

describe('an operator', () => {
  let migration: NatsConnection;
  let operator: NatsConnection;
  beforeAll(async () => {
    migration = await as(loadSecrets(openHome(folder), {}).natsMigration.seed, '_INBOX_migration');
    await (await migration.jetstreamManager({ checkAPI: false })).streams.add({ name: 'EVENTS', subjects: ['event.>'] });
    operator = await asOperator();
  });
  afterAll(async () => {
    await migration.close();
    await operator.close();
  });

  /** The server's reply; a refusal is reported as an error of the connection. */
  const ask = (subject: string, body: object): Promise<object> =>
    new Promise((resolve, reject) => {
      const reply = createInbox();
      const callback = (error: Error | null, message: Msg): void => {
        if (error) reject(error);
        else resolve(message.json<object>());
      };
      operator.subscribe(reply, { max: 1, callback });
      void (async () => {
        for await (const { type, permissionContext } of operator.status())
          if (type === Events.Error && permissionContext?.subject === subject) reject(new Error('not permitted'));
      })();
      operator.publish(subject, JSON.stringify(body), { reply });
    });

  test('looks after streams: what there is, and who leads it', async () => {
    const manager = await operator.jetstreamManager();
    expect(await manager.streams.list().next()).toMatchObject([{ config: { name: 'EVENTS' } }]);
    expect(await manager.streams.info('EVENTS')).toMatchObject({ state: { messages: 0 } });
    expect(await manager.consumers.list('EVENTS').next()).toEqual([]);
    for (const subject of ['STREAM.LEADER.STEPDOWN.EVENTS', 'CONSUMER.LEADER.STEPDOWN.EVENTS.x', 'STREAM.PEER.REMOVE.EVENTS'])
      expect(await ask(`$JS.API.${subject}`, { peer: 'x' })).toMatchObject({ type: expect.any(String) });
  });

  test.each([
    ['a stream over the calls of services', 'STREAM.CREATE.X', { name: 'X', subjects: ['session.>'] }],
    ['another range for a stream that is there', 'STREAM.UPDATE.EVENTS', { name: 'EVENTS', subjects: ['>'] }],
    [
      'a consumer that says to services what a stream holds',
      'CONSUMER.CREATE.EVENTS',
      { stream_name: 'EVENTS', config: { deliver_subject: 'session.get-turn', ack_policy: 'none' } },
    ],
    ['a message of a stream', 'STREAM.MSG.GET.EVENTS', { seq: 1 }],
    ['a stream that is empty', 'STREAM.PURGE.EVENTS', {}],
    ['no stream', 'STREAM.DELETE.EVENTS', {}],
  ])('is refused %s', async (_what, subject, body) => {
    await expect(ask(`$JS.API.${subject}`, body)).rejects.toThrow('not permitted');
  });

  test('neither says nor hears what services do', async () => {
    const received: string[] = [];
    operator.subscribe('event.>', { callback: (error) => received.push(error?.code ?? 'a message') });
    operator.publish('event.test', 'forged');
    await operator.flush();
    await until(() => received.length > 0);
    expect(received).toEqual(['PERMISSIONS_VIOLATION']);
    const manager = await operator.jetstreamManager();
    expect((await manager.streams.info('EVENTS')).state.messages).toBe(0);
  });
});
