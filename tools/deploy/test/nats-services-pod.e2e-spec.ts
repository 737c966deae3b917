import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readUsersFile } from '@switchyard/messaging';
import { usePlatform } from '@switchyard/testing';
import { newNatsUser } from '../../launcher/home/nats-user';
import { findBinary } from '../../launcher/servers/binaries';

const platform = usePlatform();
const own = newNatsUser();
const folder = mkdtempSync(path.join(tmpdir(), 'pod-'));
let front: Server | undefined;

afterAll(() => {
  front?.closeAllConnections();
  front?.close();
  rmSync(folder, { recursive: true });
});

/** As the first container of the pod runs it. */
async function run(settings: NodeJS.ProcessEnv): Promise<{ code: number; text: string }> {
  const child = spawn(process.execPath, [path.resolve('dist/tools/deploy/nats-services-pod.js'), folder], {
    env: { PATH: process.env.PATH, NATS_API_PUBLIC_KEY: own.publicKey, ...settings },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, text };
}

/** The platform behind a gateway that is not ready for the first two requests. */
async function lateGateway(): Promise<string> {
  let requests = 0;
  front = createServer((request, response) => {
    requests += 1;
    if (requests <= 2) {
      response.writeHead(503).end('{"message":"not ready"}');
      return;
    }
    void (async () => {
      const { authorization = '' } = request.headers;
      const answer = await fetch(`${platform.state.url}${request.url ?? ''}`, { headers: { authorization } });
      response.writeHead(answer.status).end(await answer.text());
    })();
  });
  await new Promise<void>((resolve) => front?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
}

test('the server of a pod starts with the accounts of the platform, once the gateway answers', async () => {
  const space = await platform.newSpace();
  const account = { name: 'billing', scopes: ['agents:read'] };
  const made = await space.owner.post(`/spaces/${space.id}/nats-accounts`, account);
  expect(made.status).toBe(201);
  const key = platform.state.secrets.natsApiOperatorKey;
  const { code, text } = await run({ SWITCHYARD_URL: await lateGateway(), SWITCHYARD_KEY: key });
  expect({ code, waits: text.match(/Waiting for the accounts: 503 not ready/g) }).toMatchObject({ code: 0, waits: [expect.anything()] });
  expect(readdirSync(folder).sort()).toEqual(['nats-services.conf', 'services-users.conf']);
  const users = readFileSync(path.join(folder, 'services-users.conf'), 'utf8');
  expect(users).toContain((made.body as { data: { publicKey: string } }).data.publicKey);
  expect(readUsersFile(users).platform).toBe(own.publicKey);
  const server = findBinary('nats-server') ?? 'nats-server';
  expect(() => execFileSync(server, ['-t', '-c', path.join(folder, 'nats-services.conf')], { stdio: 'pipe' })).not.toThrow();
});

test.each([
  ['no address', { SWITCHYARD_KEY: 'k' }, 'SWITCHYARD_URL or SWITCHYARD_KEY is missing'],
  ['no key', { SWITCHYARD_URL: 'http://gateway' }, 'SWITCHYARD_URL or SWITCHYARD_KEY is missing'],
  ["a platform's user that is none", { SWITCHYARD_URL: 'http://gateway', SWITCHYARD_KEY: 'k', NATS_API_PUBLIC_KEY: 'U } include "/etc/passwd"' }, 'NATS_API_PUBLIC_KEY is no public key'],
])('it ends with the reason: %s', async (_name, settings, reason) => {
  expect(await run(settings)).toMatchObject({ code: 1, text: expect.stringContaining(reason) as string });
});
