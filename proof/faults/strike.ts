import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, nameOfFault } from './fault';
import type { PlannedFault } from './fault-plan';
import { type Reach, perform } from './faults';
import type { History } from './history';

export interface Work {
  /** Progress, which the plan uses. */
  readonly accepted: number;
  readonly isOver: boolean;
}

export interface Struck {
  faults: Record<string, number>;
  /** Planned, but there was nothing to harm, or the place in the code was not visited. */
  missed: string[];
  /** Those that could not be brought about. */
  failed: string[];
}

/** Brings the planned faults about, each when so much work is done. Those of long duration overlap with the next. */
export async function strike(
  reach: Reach,
  plan: readonly PlannedFault[],
  { work, history, print }: { work: Work; history: History; print: (line: string) => void },
): Promise<Struck> {
  const struck: Struck = { faults: {}, missed: [], failed: [] };
  const running: Promise<void>[] = [];
  const one = async (fault: Fault): Promise<void> => {
    const name = nameOfFault(fault);
    try {
      if (await perform(reach, fault)) struck.faults[name] = (struck.faults[name] ?? 0) + 1;
      else struck.missed.push(name);
    } catch (error) {
      struck.failed.push(`${name}: ${String(error)}`);
      print(`  the fault did not work: ${name}: ${String(error)}`);
    }
  };
  for (const { afterAccepted, fault } of plan) {
    while (work.accepted < afterAccepted && !work.isOver) await sleep(20);
    if (work.isOver) struck.missed.push(nameOfFault(fault));
    else {
      print(`  ${String(work.accepted).padStart(6)} done: ${JSON.stringify(fault)}`);
      history.note({ fault, at: Date.now() });
      const done = one(fault);
      if (LASTING.has(fault.kind)) running.push(done);
      else await done;
    }
  }
  await Promise.all(running);
  return struck;
}

const LASTING = new Set<Fault['kind']>(['failpoint', 'freeze', 'network', 'pause', 'stop']);
