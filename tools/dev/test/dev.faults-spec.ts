import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import path from 'node:path';
import { until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const root = path.resolve(__dirname, '../../..');
let running: ChildProcess | undefined;

afterEach(() => running?.kill('SIGKILL'));

function dev(home: string, ...args: string[]): { child: ChildProcess; said: () => string } {
  let text = '';
  const child = spawn(process.execPath, ['tools/dev.mjs', ...args], {
    cwd: root,
    env: { ...process.env, SWITCHYARD_HOME: home },
  });
  running = child;
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { child, said: () => text };
}

test('npm run dev starts one service of the running platform again, and it runs on afterwards', async () => {
  const { home } = platform.state;
  expect(statSync(path.join(home, 'dev')).mode & 0o777).toBe(0o700);
  const job = platform.service('job');
  const first = job.pid;
  const { child, said: text } = dev(home, 'job');
  await until(() => text().includes('-- watching apps/job/src, libs/'));
  await job.ready();
  const second = job.pid;
  expect(second).not.toBe(first);
  child.stdin?.write('\n');
  await until(() => text().split('-- job is ready').length === 3);
  expect(job.pid).not.toBe(second);
  await until(() => /info +up /.test(text()));
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
  await job.ready();
  const space = await platform.newSpace();
  expect((await space.owner.get('/agent-jobs')).status).toBe(200);
}, 300_000);

test('npm run dev says that there is no platform, and how to start one', async () => {
  const { child, said: text } = dev(path.join(platform.state.home, 'nothing-runs-here'), 'job');
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect(text()).toContain('No platform runs on');
  expect(text()).toContain('npm start');
}, 300_000);
