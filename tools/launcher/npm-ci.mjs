import { spawn } from 'node:child_process';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** This process received a signal to end, and npm has ended. */
export class Interrupted extends Error {
  constructor(signal) {
    super(`${signal} while npm ci ran`);
    this.signal = signal;
  }
}

/**
 * Runs `npm ci`; resolves with whether it succeeded. If a signal ends this process, npm is ended first: otherwise it
 * would continue alone, and that of the next start would write into the same folder.
 */
export function npmCi(root, flags, { onStart, graceMs }) {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...flags];
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  // A process group of its own: npm and what it starts get one signal, and Ctrl-C reaches this process alone.
  const child = spawn(npm, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], detached: true });
  let received;
  let timer;
  const onSignal = (signal) => {
    if (received !== undefined) return;
    received = signal;
    // npm rolls back at a signal, and unpacks further meanwhile, which can take long.
    timer = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
    signalGroup(child, 'SIGTERM');
  };
  const onExit = () => signalGroup(child, 'SIGKILL');
  for (const signal of signals) process.on(signal, onSignal);
  process.on('exit', onExit);
  if (child.pid !== undefined) onStart(child.pid);
  return new Promise((resolve, reject) => {
    const finish = (isInstalled) => {
      clearTimeout(timer);
      for (const signal of signals) process.off(signal, onSignal);
      process.off('exit', onExit);
      if (received === undefined) resolve(isInstalled);
      else reject(new Interrupted(received));
    };
    child.on('error', () => finish(false));
    child.on('close', (code) => finish(code === 0));
  });
}

function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    child.kill(signal);
  }
}
