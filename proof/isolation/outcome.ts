import { MAY_KEEP_MI, type Memory } from './process-memory';
import { OPERATIONS, type VictimOperation, type VictimReport } from './victim';

export interface AttackOutcome {
  name: string;
  bound: string;
  /** Answers to the attack by status; 0 is a connection that was closed. */
  statuses: Record<string, number>;
  /** 95 of 100 of the victim's operations took at most so many milliseconds: quiet, and under attack. */
  quiet: Partial<Record<VictimOperation, number>>;
  /** Where the row was measured to its end. */
  quietAfter?: Partial<Record<VictimOperation, number>>;
  attacked: Partial<Record<VictimOperation, number>>;
  memoryGrowth: Memory;
  /** Empty when the row holds. */
  broken: string[];
}

const TIMES_SLOWER = 10;
/** Below this, ten times as much is what a scheduler does. */
const QUIET_AT_LEAST_MS = 20;
const MAX_MS: Record<VictimOperation, number> = {
  chat: 1_000,
  query: 1_000,
  'event to run': 5_000,
  'model call': 1_000,
  'MCP call': 1_000,
};

export function p95(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.ceil(sorted.length * 0.95) - 1];
  return value === undefined ? undefined : Math.round(value);
}

export const p95OfEach = ({ took }: VictimReport): Partial<Record<VictimOperation, number>> =>
  Object.fromEntries(OPERATIONS.map((operation) => [operation, p95(took[operation])]));

/** The slower time of each operation. */
export const slowerOf = (one: AttackOutcome['quiet'], other: AttackOutcome['quiet']): AttackOutcome['quiet'] =>
  Object.fromEntries(
    OPERATIONS.flatMap((operation) => {
      const times = [one[operation], other[operation]].filter((time) => time !== undefined);
      return times.length > 0 ? [[operation, Math.max(...times)]] : [];
    }),
  );

/** Limits for the victim's results. */
export function slowed(quiet: AttackOutcome['quiet'], attacked: AttackOutcome['attacked']): string[] {
  return OPERATIONS.flatMap((operation) => {
    const before = quiet[operation];
    const now = attacked[operation];
    if (now === undefined) return [`no ${operation} of the victim came to an end`];
    const most = Math.min(MAX_MS[operation], TIMES_SLOWER * Math.max(before ?? Infinity, QUIET_AT_LEAST_MS));
    return now > most ? [`${operation}: p95 of ${now} ms, may be ${most} ms`] : [];
  });
}

export const grewTooMuch = (stored: Memory): string[] =>
  Object.entries(stored).flatMap(([name, mi]) => (mi > MAY_KEEP_MI ? [`${name} keeps ${mi} MiB`] : []));

/** 503 with Retry-After is how a bound may refuse; any other 5xx is our fault. */
export const isOurFault = (status: number): boolean => status >= 500 && status !== 503;
