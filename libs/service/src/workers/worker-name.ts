import { readFileSync, readlinkSync } from 'node:fs';
import { newId } from '@switchyard/kernel';

const read = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
};

/** The boot of the machine and the space of its process ids: within one, a process id means one process. */
function realm(): string | null {
  try {
    const boot = read('/proc/sys/kernel/random/boot_id');
    const pids = /\[(\d+)\]/.exec(readlinkSync('/proc/self/ns/pid'))?.[1];
    return boot && pids ? `${boot.replaceAll('-', '')}.${pids}` : null;
  } catch {
    return null;
  }
}

/** When a process began, in the kernel's own count: tells it from a later one with the same id. */
function startOf(pid: number): string | null {
  const stat = read(`/proc/${pid}/stat`);
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  // A zombie has ended; only its parent has not looked yet.
  return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
}

/**
 * A name for the worker of this process that no other bears. Where the system tells (Linux), it also says which
 * process that is, so that others can see that it is gone without waiting for its lease.
 */
export function workerName(): string {
  const here = realm();
  const started = startOf(process.pid);
  return here && started ? `${newId()}@${here}.${process.pid}.${started}` : newId();
}

/** Whether the process behind a name has certainly ended. False also if that cannot be known here. */
export function isWorkerDead(name: string): boolean {
  const [, boot, pids, pid, started] = /@([0-9a-f]+)\.(\d+)\.(\d+)\.(\d+)$/.exec(name) ?? [];
  if (boot === undefined || `${boot}.${pids}` !== realm()) return false;
  return startOf(Number(pid)) !== started;
}
