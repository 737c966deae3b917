/** Begun is something, and only the end is everything: in between it nears 95 as time goes by. */
export const STARTED = 5;
const NEARLY = 95;
const PACE_MS = 60_000;

export const progressAfter = (runningMs: number): number =>
  Math.round((STARTED + (NEARLY - STARTED) * (1 - Math.exp(-Math.max(0, runningMs) / PACE_MS))) * 10) / 10;
