import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { usePlatform } from '@switchyard/testing';
import { type CredentialProxy, openCredentialProxy } from './credential-proxy';
import { type GatewayProcess, startGateway } from './everything-process';
import { conformanceSuite, newerNode } from './mcp-tools';

// The whole suite of one revision in one test.
jest.setTimeout(180_000);

const platform = usePlatform();
let gateway: GatewayProcess;
/** In front of the gateway with the suite's tools, and of the one that users call. */
let proxy: CredentialProxy;
let ownProxy: CredentialProxy;
let output: string;

beforeAll(async () => {
  output = mkdtempSync(path.join(os.tmpdir(), 'switchyard-conformance-'));
  gateway = await startGateway(platform.state, 'test/conformance/everything-gateway.js');
  const key = await (await platform.newSpace()).key({ scopes: ['mcp:call'] });
  proxy = await openCredentialProxy(gateway.url, key.authorization ?? '');
  ownProxy = await openCredentialProxy(platform.url, key.authorization ?? '');
});

afterAll(async () => {
  proxy.close();
  ownProxy.close();
  await gateway.stop();
  rmSync(output, { recursive: true, force: true });
});

interface Run {
  code: number;
  output: string;
}

function runSuite(at: CredentialProxy, args: string[]): Promise<Run> {
  const child = spawn(newerNode(), [conformanceSuite(), 'server', '--url', `${at.url}/mcp`, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const deliver = (chunk: Buffer): void => void (output += chunk.toString('utf8'));
  child.stdout.on('data', deliver);
  child.stderr.on('data', deliver);
  return new Promise((resolve) =>
    child.once('close', (code) => resolve({ code: code ?? 1, output: output.slice(-10_000) })),
  );
}

test.each(['2025-11-25', '2026-07-28'])('everything that revision %s requires of a server passes', async (revision) => {
  const expected = path.join(__dirname, `expected-failures-${revision}.yml`);
  const results = path.join(output, revision);
  const run = await runSuite(proxy, ['--requirements', revision, '--expected-failures', expected, '-o', results]);
  expect(run).toMatchObject({ code: 0 });
  expect(checksIn(results)).toBeGreaterThan(50);
});

// Checks that need none of the suite's tools also run on ours.
test.each([
  ['2025-11-25', ['server-initialize', 'tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection']],
  ['2026-07-28', ['tools-list', 'caching', 'http-header-validation', 'sep-2164-resource-not-found']],
])('our own tools, resources and prompts are offered as revision %s says', async (revision, scenarios) => {
  const runs = scenarios.map((name) => runSuite(ownProxy, ['--scenario', name, '--spec-version', revision]));
  for (const run of await Promise.all(runs)) expect(run).toMatchObject({ code: 0 });
});

/** A suite that asked nothing would pass as well. */
function checksIn(results: string): number {
  const files = readdirSync(results).map((name) => path.join(results, name, 'checks.json'));
  return files.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as unknown[]).length;
}
