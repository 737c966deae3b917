import type { ChildProcess } from 'node:child_process';
import os from 'node:os';

/** From now on it, and what it starts, works only while nobody else wants to. */
export function giveWay({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    os.setPriority(pid, os.constants.priority.PRIORITY_LOW);
  } catch {
    // It is gone already, or this system knows no such thing: then it takes its share.
  }
}
