import type { Fault } from './fault';
import { Random } from './random';

export interface PlannedFault {
  /** Counted in work that was accepted, so that a slow machine meets the same faults at the same work. */
  afterAccepted: number;
  fault: Fault;
}

export type FaultMaker = (random: Random) => Fault;

export interface FaultMenu {
  /** The more often one is named, the more often it happens. */
  makers: readonly FaultMaker[];
  /** The faults that any run must have met to prove something. */
  always: readonly Fault[];
}

/** Spreads `count` faults over the accepted work of a run. */
export function planFaults(random: Random, count: number, work: number, menu: FaultMenu): PlannedFault[] {
  const faults = Array.from({ length: count }, (_, index) => menu.always[index] ?? random.pick(menu.makers)(random));
  const slots = faults
    .map(() => random.between(Math.floor(work * 0.05), Math.floor(work * 0.95)))
    .sort((a, b) => a - b);
  const shuffled = faults.map((fault) => ({ fault, at: random.next() })).sort((a, b) => a.at - b.at);
  return shuffled.map(({ fault }, index) => ({ afterAccepted: slots[index] ?? 0, fault }));
}
