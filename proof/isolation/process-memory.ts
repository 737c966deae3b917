import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestPlatform } from '@switchyard/testing';
import { SERVICES } from '../../tools/launcher/service-names';

export type Memory = Record<string, number>;

/** How far above its former size a process may stay. */
export const MAY_KEEP_MI = 100;
const LOOK_EVERY_MS = 1_000;

/** Null when the process has just died, which its row reports. */
export function residentMi(pid: number): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return null;
  }
}

/** Resident memory of each service in MiB, right after it has collected its garbage. */
export async function memoryOf(platform: TestPlatform): Promise<Memory> {
  const { pids, internalUrls } = platform.state;
  const found: Memory = {};
  for (const name of SERVICES) {
    const pid = pids[name];
    if (!pid) continue;
    await fetch(`${internalUrls[name]}/garbage`, { method: 'POST' }).catch(() => undefined);
    const mi = residentMi(pid);
    if (mi !== null) found[name] = mi;
  }
  return found;
}

/** Memory growth of each process since `before`, once it is small enough or time is up. */
export async function memoryGrowth(platform: TestPlatform, before: Memory, withinMs: number): Promise<Memory> {
  for (const deadline = Date.now() + withinMs; ;) {
    const now = await memoryOf(platform);
    const stored = Object.fromEntries(
      Object.entries(now).map(([name, mi]) => [name, Math.round(mi - (before[name] ?? mi))]),
    );
    if (Object.values(stored).every((mi) => mi <= MAY_KEEP_MI) || Date.now() > deadline) return stored;
    await sleep(LOOK_EVERY_MS);
  }
}
