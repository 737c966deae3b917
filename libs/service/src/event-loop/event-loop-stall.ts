/** A time in which the event loop took up nothing else. */
export interface EventLoopStall {
  wallMs: number;
  /** Processor time of the main thread in it. */
  cpuMs: number;
  /** Where the main thread was, at most one entry for each place. Empty when no sample was taken in time. */
  stacks: string[];
}

/**
 * Below this share of CPU time the process was mostly not running: preempted, stopped, or waiting for a disk. The burst
 * afterwards may be queued-up small tasks.
 */
const OWN_SHARE = 0.7;
/** So many limits of processor time are more than what piles up. */
const CERTAIN_FACTOR = 2;

/** Whether the process itself held its event loop for `limitMs`, and not the machine that it runs on. */
export const isOwnStall = ({ wallMs, cpuMs }: { wallMs: number; cpuMs: number }, limitMs: number): boolean =>
  cpuMs >= limitMs && (cpuMs >= wallMs * OWN_SHARE || cpuMs >= limitMs * CERTAIN_FACTOR);
