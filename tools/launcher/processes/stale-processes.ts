import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTimeOf } from './process-identity';

const patienceMs = 12_000;

/**
 * Waits until nothing of an earlier launcher that died runs on this home any more; after a while ends it. Gives whether
 * there was such a launcher: one that stops in order leaves no list.
 */
export async function endStaleProcesses(listFile: string): Promise<boolean> {
  const hasList = existsSync(listFile);
  const deadline = Date.now() + patienceMs;
  for (let rest = running(listFile); rest.length > 0; rest = running(listFile)) {
    for (const { pid, signal } of rest) report(pid, Date.now() > deadline ? 'SIGKILL' : signal);
    if (Date.now() > deadline + 2_000) break;
    await sleep(250);
  }
  rmSync(listFile, { force: true });
  return hasList;
}

function running(listFile: string): { pid: number; signal: NodeJS.Signals }[] {
  return read(listFile)
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, pid = '', startedAt]) => pid !== '' && startTimeOf(Number(pid)) === startedAt && startedAt !== '')
    .map(([signal = 'TERM', pid]) => ({ pid: Number(pid), signal: `SIG${signal}` as NodeJS.Signals }));
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function report(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone meanwhile.
  }
}
