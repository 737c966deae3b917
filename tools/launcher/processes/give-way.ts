import type { ChildProcess } from 'node:child_process';
import os from 'node:os';

/** A quarter of the processor while others want it: it must come to its end also on a machine that is never idle. */
const A_QUARTER = 5;

/** From now on it, and what it starts, leaves most of the processors to others who want them. */
export function giveWay({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    os.setPriority(pid, A_QUARTER);
  } catch {
    // It is gone already, or this system knows no such thing: then it takes its share.
  }
}
