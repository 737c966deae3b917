import { readFileSync } from 'node:fs';

/**
 * Tells a process from a later one that got the same number: when it started, by the kernel's clock.
 * Empty when there is none, or only a zombie is left of it.
 */
export function startTimeOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? '' : (fields[19] ?? '');
  } catch {
    return isAlive(pid) ? 'alive' : '';
  }
}

/** For systems without /proc. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux';
  } catch (error) {
    return process.platform !== 'linux' && (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
