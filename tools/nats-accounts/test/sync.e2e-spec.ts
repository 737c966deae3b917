import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { until, usePlatform } from '@switchyard/testing';
import { readUsersFile, servicesServerConfig, usersFile } from '../../../libs/messaging/src/nats-api/users-file';
import { newNatsUser } from '../../launcher/home/nats-user';
import { findBinary } from '../../launcher/servers/binaries';
import { greets } from '../../launcher/servers/nats';
import { freePort } from '../../launcher/ports';
import { syncOnce } from '../accounts-sync';
import { operatorApi } from '../operator-api';
import { type ServicesServer, usersIn } from '../services-server';

const platform = usePlatform();
const folder = mkdtempSync(path.join(os.tmpdir(), 'sync-'));
const file = (name: string): string => path.join(folder, name);
const own = newNatsUser();

let nats: ChildProcess;
let server: ServicesServer;
let config: string;
let key: string;
const proxies: Server[] = [];

beforeAll(async () => {
  const [port, monitorPort] = [await freePort(), await freePort()];
  const pidFile = file('nats.pid');
  config = servicesServerConfig({ host: '127.0.0.1', port, monitorPort, usersFile: 'users.conf', pidFile });
  server = { usersFile: file('users.conf'), configFile: file('nats.conf'), pidFile, platformKey: own.publicKey };
  writeFileSync(server.configFile, config);
  writeFileSync(server.usersFile, usersFile(0, [], own.publicKey));
  nats = spawn(findBinary('nats-server') ?? 'nats-server', ['-c', server.configFile], { stdio: 'ignore' });
  await until(() => greets(port));
  const space = await platform.newSpace();
  const made = await space.owner.post(`/spaces/${space.id}/nats-accounts`, {
    name: 'billing',
    scopes: ['agents:read'],
  });
  expect(made.status).toBe(201);
  key = platform.state.secrets.natsApiOperatorKey;
});

afterAll(() => {
  nats.kill();
  for (const proxy of proxies) {
    proxy.closeAllConnections();
    proxy.close();
  }
  rmSync(folder, { recursive: true });
});

test('the key of `npm start` was made by the platform, and ends with no person', async () => {
  const made = await platform.database.query(
    `select created_by, scopes, revoked_at from key.api_keys where type = 'OPERATOR' and last4 = $1`,
    [key.slice(-4)],
  );
  expect(made).toEqual([{ created_by: null, scopes: ['operator:nats'], revoked_at: null }]);
});

/** The platform's answers, as a broken one in between would change them. */
async function through(change: (body: string) => string, status: number): Promise<string> {
  const proxy = createServer((request, response) => {
    void (async () => {
      const { authorization = '' } = request.headers;
      const answer = await fetch(`${platform.state.url}${request.url ?? ''}`, { headers: { authorization } });
      response.writeHead(answer.status === 200 ? status : answer.status).end(change(await answer.text()));
    })();
  });
  proxies.push(proxy);
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

const bring = (url = platform.state.url, force = false): ReturnType<typeof syncOnce> =>
  syncOnce(
    operatorApi(url, () => key),
    server,
    { force },
  );
const text = (): string => readFileSync(server.usersFile, 'utf8');

describe('users that are brought to a server', () => {
  it.each<[string, (body: string) => string, number]>([
    ['failed', () => '{"success":false,"message":"no"}', 500],
    ['was cut off', (body) => body.slice(0, -10), 200],
    ['is another one', () => '{"data":{}}', 200],
    ['has no revision', (body) => body.replace(/"revision":\d+/, '"other":1'), 200],
    ['lacks its second page', (body) => body.replace('"nextCursor":null', '"nextCursor":"unknown"'), 200],
  ])('stay where they are if the list %s', async (_, change, status) => {
    const before = text();
    const url = await through(change, status);
    await expect(bring(url)).rejects.toThrow();
    expect(text()).toBe(before);
  });

  it('are checked by the program of the running server, and loaded', async () => {
    const { revision, users } = await bring();
    expect(users).toBeGreaterThan(0);
    expect(usersIn(server)).toMatchObject({ revision, users, platform: own.publicKey });
  });

  it('stay where they are if the server refuses the new ones', async () => {
    const before = text();
    writeFileSync(server.configFile, `${config}\nnonsense {`);
    await expect(bring()).rejects.toThrow('nothing was changed');
    expect(text()).toBe(before);
    writeFileSync(server.configFile, config);
  });

  it('are not removed by more than half at once, unless it is forced', async () => {
    const found = usersIn(server).users;
    const many = Array.from({ length: 2 * found + 50 }, (_, at) => ({
      account: String(at).padStart(22, 'A'),
      publicKey: newNatsUser().publicKey,
    }));
    writeFileSync(server.usersFile, usersFile(0, many, own.publicKey));
    const before = text();
    await expect(bring()).rejects.toThrow('--force');
    expect(text()).toBe(before);
    expect((await bring(platform.state.url, true)).users).toBeLessThan(many.length / 2);
  });

  it('are not removed because their public keys are damaged in the list', async () => {
    const { users } = await bring(platform.state.url, true);
    expect(users).toBeGreaterThan(0);
    const before = text();
    const damaged = Array.from({ length: 10 }, () => ({
      id: 'A'.repeat(22),
      publicKey: 'damaged',
      status: 'ACTIVE',
      previous: null,
    }));
    const list = (body: string): string =>
      JSON.stringify({ ...JSON.parse(body), data: damaged, page: { nextCursor: null } });
    const many = Array.from({ length: 5 }, (_, at) => ({
      account: `${at}`.padStart(22, 'A'),
      publicKey: newNatsUser().publicKey,
    }));
    writeFileSync(server.usersFile, usersFile(0, many, own.publicKey));
    await expect(bring(await through(list, 200))).rejects.toThrow('Only 0 of 5 users would be left');
    expect(readUsersFile(text()).users).toBe(5);
    writeFileSync(server.usersFile, before);
  });
});
