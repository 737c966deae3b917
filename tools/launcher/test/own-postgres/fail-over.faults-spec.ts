import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, signIn, until } from '@switchyard/testing';
import { openHome } from '../../home/home';
import { loadSecrets } from '../../home/secrets';
import type { Platform } from '../../platform';
import { PostgresPair } from './postgres-pair';
import { smallPlatform } from './small-platform';
import { Writers } from './writers';

// Servers and services of its own: the shared platform has one Postgres, which others need.
const folder = mkdtempSync(join(tmpdir(), 'fail-over-'));
const home = openHome(join(folder, 'home'));
const secrets = loadSecrets(home, {});
const pair = new PostgresPair(home, secrets.databaseAdminPassword);
const SOME = 20;
let platform: Platform;
let owner: Client;

beforeAll(async () => {
  await pair.start();
  platform = smallPlatform(home, secrets, pair.url);
  await platform.start();
  owner = await signIn(new Client(platform.endpoints.gatewayUrl, null), secrets.ownerEmail, secrets.ownerPassword);
});

afterAll(async () => {
  await platform.stop();
  await pair.remove();
  rmSync(folder, { recursive: true, force: true });
});

const goesOn = async (writers: Writers): Promise<unknown> => {
  const before = writers.count;
  return until(() => writers.count >= before + SOME, { timeoutMs: 120_000 });
};

/** Of what was acknowledged, what is not there. */
async function lapsed(part: 'primary' | 'standby', { acknowledged }: Writers): Promise<string[]> {
  const there = new Set((await pair.ask(part, 'select name from key.api_keys')).map(({ name }) => name));
  return [...acknowledged.keys()].filter((name) => !there.has(name));
}

test('writes wait while the only server that takes them is closed, and go on when it opens', async () => {
  const writers = new Writers(owner);
  await goesOn(writers);
  const close = async (value: 'on' | 'off'): Promise<void> => {
    await pair.ask('primary', `alter system set default_transaction_read_only = ${value}`);
    await pair.ask('primary', 'select pg_reload_conf()');
  };
  await close('on');
  await until(() => writers.refusals.has(503));
  await close('off');
  await goesOn(writers);
  await writers.stop();
  expect([...writers.refusals]).toEqual([503]);
  expect(await lapsed('primary', writers)).toEqual([]);
});

test('a standby that is promoted is written to, and nothing that was acknowledged is lost', async () => {
  const writers = new Writers(owner);
  await goesOn(writers);
  await pair.kill('primary');
  await until(() => writers.refusals.has(503));
  await pair.promote();
  await goesOn(writers);
  await writers.stop();
  expect([...writers.refusals]).toEqual([503]);
  expect(await lapsed('standby', writers)).toEqual([]);
  console.info(`nothing was acknowledged for ${Math.round(writers.longestPauseMs)} ms`);
});

test('the primary of before, started again, is not written to', async () => {
  await pair.run('primary');
  await platform.processes.get('key')?.stop();
  await platform.processes.get('key')?.start();
  const writers = new Writers(owner);
  await goesOn(writers);
  await writers.stop();
  expect(await lapsed('standby', writers)).toEqual([]);
  expect(await lapsed('primary', writers)).toHaveLength(writers.count);
});
