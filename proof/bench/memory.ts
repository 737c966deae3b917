import { readFileSync } from 'node:fs';

const mibIn = (pid: number | string, file: string, kib: RegExp): number =>
  Number(kib.exec(readFileSync(`/proc/${pid}/${file}`, 'latin1'))?.[1] ?? 0) / 1024;

/** Of one process by itself, as `top` shows it. */
export const residentMib = (pid: number | string): number => mibIn(pid, 'status', /^VmRSS:\s+(\d+) kB$/m);

/** With what processes share divided among them. */
export const proportionalMib = (pid: number | string): number => mibIn(pid, 'smaps_rollup', /^Pss:\s+(\d+) kB$/m);
