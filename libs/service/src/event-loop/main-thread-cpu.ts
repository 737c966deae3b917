import { openSync, readSync } from 'node:fs';

const SPACE = 32;
const NANOSECONDS = 1e6;

/**
 * Processor time of the main thread in milliseconds, as Linux counts it. On other systems it is the time of the whole
 * process, which other threads share: there a stall may be reported that was theirs.
 */
export function mainThreadCpu(): () => number {
  const file = openSchedstat();
  if (file === null) return processCpu;
  const bytes = Buffer.alloc(96);
  return () => {
    readSync(file, bytes, 0, bytes.length, 0);
    return Number(bytes.toString('latin1', 0, bytes.indexOf(SPACE))) / NANOSECONDS;
  };
}

function openSchedstat(): number | null {
  try {
    return openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  } catch {
    return null;
  }
}

function processCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
