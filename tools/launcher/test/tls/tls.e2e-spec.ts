import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client, signIn, until } from '@switchyard/testing';
import { fetch } from 'undici';
import { runToEnd } from '../../processes/transient';
import { openHome } from '../../home/home';
import { loadSecrets } from '../../home/secrets';
import { freePort } from '../../ports';
import { findBinary } from '../../servers/binaries';
import { makeAuthority } from './certificates';
import { SecureServers } from './secure-servers';

// Certificates, servers and services of its own: not the shared platform, which has no TLS within one machine.
const folder = mkdtempSync(join(tmpdir(), 'tls-'));
const home = openHome(join(folder, 'home'));
const secrets = loadSecrets(home, {});
const servers = new SecureServers(home, secrets);
const ours = makeAuthority(folder, 'ours');
const foreign = makeAuthority(folder, 'foreign');
const running: ChildProcess[] = [];

interface SentText {
  text: () => string;
  url: string;
  gatewayUrl: string;
}

type Settings = Record<string, string>;

/** Output of `kubernetes-secrets` for a deployment with external servers. */
function settingsOf(name: string): Settings {
  const lines = readFileSync(join(home.directory, `${name}.env`), 'utf8')
    .trim()
    .split('\n');
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

const trusting = (authority: string): Settings => ({ PATH: process.env.PATH ?? '', NODE_EXTRA_CA_CERTS: authority });

async function startService(service: string, authority: string, own: Settings = {}): Promise<SentText> {
  const [internal, gateway] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [resolve(`dist/apps/${service}/src/main.js`)], {
    env: {
      ...settingsOf(service),
      ...trusting(authority),
      NODE_ENV: 'test',
      INTERNAL_PORT: String(internal),
      GATEWAY_PORT: String(gateway),
      ...own,
    },
  });
  running.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { text: () => text, url: `http://127.0.0.1:${internal}`, gatewayUrl: `http://127.0.0.1:${gateway}` };
}

const run = (args: string[], env: Settings): ReturnType<typeof runToEnd> =>
  runToEnd(process.execPath, args, { env: { ...trusting(ours.file), ...env } });

const health = async ({ url }: SentText): Promise<Record<string, { up: boolean }>> => {
  const reply = await fetch(`${url}/health/ready`);
  return ((await reply.json()) as { dependencies: Record<string, { up: boolean }> }).dependencies;
};

beforeAll(async () => {
  await servers.start(ours.issue('localhost'));
  const { postgres, nats, redis } = servers.urls;
  const given = { DATABASE_ADMIN_URL: postgres, NATS_URL: nats, REDIS_URL: redis };
  expect(await run(['dist/tools/deploy/kubernetes-secrets.js', home.directory], given)).toMatchObject({ code: 0 });
  // Of one service: the others go the same way.
  const logins = { DATABASE_LOGINS: JSON.stringify({ key: secrets.services.key.databasePassword }) };
  await until(async () => {
    const done = await run(['dist/tools/deploy/prepare.js'], { ...settingsOf('migrate'), ...logins });
    if (done.code !== 0) throw new Error(done.stderr);
    return done.stdout.includes('FRAMES: has 1');
  });
});

afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await servers.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('services work over TLS with an authority of the operator', async () => {
  const started = await Promise.all([startService('key', ours.file), startService('gateway', ours.file)]);
  for (const service of started)
    await until(async () => Object.values(await health(service)).every(({ up }) => up), { timeoutMs: 120_000 });
  // The door asks the key service over NATS, which asks Postgres.
  const anonymous = new Client(started[1].gatewayUrl, null);
  const owner = await signIn(anonymous, secrets.ownerEmail, secrets.ownerPassword);
  expect((await owner.get('/spaces')).status).toBe(200);
  expect(started.map(({ text }) => text()).join()).not.toMatch(/failed to connect|disconnected/);
});

test('a backup is taken over TLS', async () => {
  const url = `${servers.urls.postgres}&sslrootcert=${ours.file}`;
  const dump = (database: string): ReturnType<typeof runToEnd> =>
    runToEnd(findBinary('pg_dump') ?? 'pg_dump', ['--schema-only', '--schema=key', `--dbname=${database}`]);
  expect((await dump(url)).stdout).toContain('CREATE TABLE key.api_keys');
  expect((await dump(`${servers.urls.postgres}&sslrootcert=${foreign.file}`)).stderr).toContain(
    'certificate verify failed',
  );
});

const REFUSED = {
  authority: /self-signed certificate in certificate chain|unable to (?:verify|get)/,
  host: /does not match certificate's altnames.*elsewhere\.example/,
};

/** The gateway starts without NATS and Redis, and says why it has none. */
async function expectRefused(authority: string, reason: RegExp): Promise<void> {
  const gateway = await startService('gateway', authority);
  for (const words of ['failed to connect to NATS', 'disconnected from Redis'])
    expect(await until(() => lineOf(gateway, words), { timeoutMs: 60_000 }).catch(() => gateway.text())).toMatch(
      reason,
    );
  expect(await health(gateway)).toMatchObject({ nats: { up: false }, redis: { up: false } });
}

test('a server whose certificate another authority made is refused, by name of the reason', async () => {
  expect(await migrate(foreign.file)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(REFUSED.authority) as string,
  });
  await expectRefused(foreign.file, REFUSED.authority);
});

test('a server with the certificate of another host is refused, by name of the reason', async () => {
  await servers.show(ours.issue('elsewhere.example'));
  await until(async () => (await migrate(ours.file)).stderr.match(REFUSED.host), { timeoutMs: 60_000 });
  await expectRefused(ours.file, REFUSED.host);
});

test('a NATS without TLS is refused where TLS is asked for, and taken where it is not', async () => {
  const address = await servers.startPlainNats();
  const [request, plain] = await Promise.all(
    ['tls', 'nats'].map((scheme) => startService('gateway', ours.file, { NATS_URL: `${scheme}://${address}` })),
  );
  if (!request || !plain) throw new Error('not started');
  await until(async () => (await health(plain))['nats']?.up, { timeoutMs: 60_000 });
  expect(await until(() => lineOf(request, 'failed to connect to NATS'), { timeoutMs: 60_000 })).toContain(
    'SERVER_OPT_NA',
  );
  expect((await health(request))['nats']).toMatchObject({ up: false });
});

const lineOf = ({ text }: SentText, words: string): string =>
  text()
    .split('\n')
    .find((line) => line.includes(words)) ?? '';

const migrate = (authority: string): ReturnType<typeof runToEnd> =>
  runToEnd(process.execPath, ['dist/apps/key/src/main.js', 'migrate'], {
    env: { ...trusting(authority), DATABASE_ADMIN_URL: servers.urls.postgres },
  });
