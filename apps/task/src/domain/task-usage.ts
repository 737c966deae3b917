import type { ExecutionStatus, TaskUsage, TaskUsageQuery } from '@switchyard/contracts';
import { invalid } from '@switchyard/kernel';
import { turnsOfSteps } from './step-turn-ids';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
/** The most turns whose cost is summed in one call. */
export const MAX_TURNS = 5_000;

const FAILED: ReadonlySet<ExecutionStatus> = new Set(['FAILED', 'TIMED_OUT']);

export interface CountOfRuns {
  status: ExecutionStatus;
  runs: number;
  isMore: boolean;
  last: string | null;
}

export interface RunWithAgents {
  id: string;
  agentSteps: { step: string; attempt: number }[] | null;
}

export function usagePeriod({ from, to }: TaskUsageQuery, now: Date): { from: string; to: string } {
  const end = to === undefined ? now : new Date(to);
  const start = from === undefined ? new Date(end.getTime() - DEFAULT_DAYS * DAY_MS) : new Date(from);
  if (start >= end) throw invalid('from', 'must be before `to`');
  return { from: start.toISOString(), to: end.toISOString() };
}

export function sumOfRuns(
  counts: readonly CountOfRuns[],
): Pick<TaskUsage, 'runs' | 'failed' | 'atLeast' | 'lastRunAt'> {
  const sum = (of: readonly CountOfRuns[]): number => of.reduce((all, { runs }) => all + runs, 0);
  const last = counts.flatMap((count) => (count.last === null ? [] : Date.parse(count.last)));
  return {
    runs: sum(counts),
    failed: sum(counts.filter(({ status }) => FAILED.has(status))),
    atLeast: counts.some(({ isMore }) => isMore),
    lastRunAt: last.length === 0 ? null : new Date(Math.max(...last)).toISOString(),
  };
}

/** The turns of whole runs, the newest first, until they are more than one call sums. */
export function turnsToSum(runs: readonly RunWithAgents[]): { turnIds: string[]; costOf: number } {
  const turnIds: string[] = [];
  for (const [at, { id, agentSteps }] of runs.entries()) {
    const turns = turnsOfSteps(id, agentSteps ?? []);
    if (turnIds.length + turns.length > MAX_TURNS) return { turnIds, costOf: at };
    turnIds.push(...turns);
  }
  return { turnIds, costOf: runs.length };
}
