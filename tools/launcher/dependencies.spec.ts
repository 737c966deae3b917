import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '@switchyard/testing';
import { projectRoot } from './project-root';
import { startTimeOf } from './processes/process-identity';

/** In place of npm: installs when the file `go` is there. As npm, it does not end at once at a signal. */
const NPM = `#!${process.execPath}
const fs = require('node:fs');
process.on('SIGTERM', () => fs.writeFileSync('received', 'SIGTERM'));
fs.appendFileSync('started', process.pid + ' ');
setInterval(() => {
  if (!fs.existsSync('go')) return;
  fs.mkdirSync('node_modules', { recursive: true });
  process.exit();
}, 20);
`;
const DEPENDENCIES = path.join(projectRoot, 'tools/launcher/dependencies.mjs');

let root: string;
let launchers: ChildProcess[];

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'switchyard-install-'));
  launchers = [];
  mkdirSync(path.join(root, 'bin'));
  writeFileSync(path.join(root, 'bin/npm'), NPM);
  chmodSync(path.join(root, 'bin/npm'), 0o755);
  writeFileSync(path.join(root, 'package-lock.json'), '{"packages": {}}');
});

afterEach(() => {
  for (const pid of [...launchers.map((launcher) => launcher.pid ?? 0), ...npmProcesses()])
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

interface Launcher {
  process: ChildProcess;
  output: () => string;
  ended: Promise<unknown>;
  /** Later than `ended` if npm lives on, because npm has the same output. */
  closed: Promise<unknown>;
}

function launch(times: { patienceMs?: number; graceMs?: number } = {}): Launcher {
  const all = { patienceMs: 600_000, graceMs: 0, ...times };
  const script = `import { installDependencies } from ${JSON.stringify(DEPENDENCIES)};
    process.exit(await installDependencies(${JSON.stringify(root)}, ${JSON.stringify(all)}));`;
  const launcher = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, PATH: `${path.join(root, 'bin')}:${process.env['PATH'] ?? ''}` },
  });
  launchers.push(launcher);
  let output = '';
  for (const stream of [launcher.stdout, launcher.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const ended = once(launcher, 'exit').then(([code]: unknown[]) => code);
  return { process: launcher, output: () => output, ended, closed: once(launcher, 'close') };
}

const textOf = (name: string): string => {
  const file = path.join(root, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};
const npmProcesses = (): number[] => textOf('started').split(' ').map(Number).filter(Boolean);
const isRunning = (pid: number): boolean => startTimeOf(pid) !== '';
const npmOf = (count: number): Promise<number> => until(() => npmProcesses()[count - 1]);
const go = (): void => {
  writeFileSync(path.join(root, 'go'), '');
};

describe('the installation of the dependencies', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('ends npm before it ends at %s', async (signal, code) => {
    const launcher = launch();
    const npm = await npmOf(1);
    launcher.process.kill(signal);
    expect(await launcher.ended).toBe(code);
    expect(isRunning(npm)).toBe(false);
    expect(npmProcesses()).toEqual([npm]);
    await launcher.closed;
    expect(launcher.output()).toContain('The next start installs the dependencies from the beginning.');
    expect(existsSync(path.join(root, 'dist/.install-lock'))).toBe(false);
  });

  it('lets npm roll back after a signal', async () => {
    const launcher = launch({ graceMs: 600_000 });
    const npm = await npmOf(1);
    launcher.process.kill('SIGTERM');
    await until(() => textOf('received') !== '');
    expect([isRunning(npm), launcher.process.exitCode]).toEqual([true, null]);
    go();
    expect(await launcher.ended).toBe(143);
  });

  it('runs once if two start, and the second one says what it waits for', async () => {
    const first = launch();
    await npmOf(1);
    const second = launch();
    await until(() => second.output().includes(`waiting for process ${first.process.pid}`));
    go();
    expect(await Promise.all([first.ended, second.ended])).toEqual([0, 0]);
    expect(npmProcesses()).toHaveLength(1);
    expect(await launch().ended).toBe(0);
    expect(npmProcesses()).toHaveLength(1);
  });

  it('waits for npm of a start that was killed, and then installs', async () => {
    const first = launch();
    const npm = await npmOf(1);
    first.process.kill('SIGKILL');
    await first.ended;
    const second = launch();
    await until(() => second.output().includes(`waiting for process ${npm}`));
    expect(npmProcesses()).toEqual([npm]);
    go();
    expect(await second.ended).toBe(0);
    expect(npmProcesses()).toHaveLength(2);
  });

  it('takes over the lock of processes that are gone', async () => {
    mkdirSync(path.join(root, 'dist'));
    writeFileSync(path.join(root, 'dist/.install-lock'), '4194400 4194401');
    go();
    const launcher = launch();
    expect(await launcher.ended).toBe(0);
    await launcher.closed;
    expect(launcher.output()).not.toContain('waiting');
  });

  it('says after a while where the log of npm is, and what to do', async () => {
    const first = launch({ patienceMs: 0 });
    await npmOf(1);
    const second = launch({ patienceMs: 0 });
    const log = `newest file in ${path.join(root, 'dist/.npm-logs')}. If the log does not grow`;
    await until(() => first.output().includes(`${log}, press Ctrl-C`));
    await until(() => second.output().includes(`${log}, end it with: kill ${first.process.pid}.`));
    go();
    expect(await Promise.all([first.ended, second.ended])).toEqual([0, 0]);
  });
});
