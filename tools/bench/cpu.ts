import { readFileSync } from 'node:fs';

const TICKS_A_SECOND = 100;

/** The milliseconds that a process has run, in itself and for itself. */
export function cpuOf(pid: number): number {
  // Behind the name, which may hold anything: the 12th and 13th field from there.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_A_SECOND;
}
