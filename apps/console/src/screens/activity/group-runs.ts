import type { Activity } from '@switchyard/client';
import { type RecordOutcome, OUTCOMES, outcomeOf } from '../../api/status';

export const keyOf = ({ kind, id }: Pick<Activity, 'kind' | 'id'>): string => `${kind}:${id}`;

/** A row of the list: a record, or the newest of several runs of one task. */
export interface Line {
  key: string;
  row: Activity;
  /** All runs that it stands for; null for a record that stands for itself. */
  runs: readonly Activity[] | null;
  isOpen: boolean;
  /** One of the runs of the line above. */
  isInner: boolean;
}

export const keyOfLine = ({ key }: Line): string => key;

const single = (row: Activity, isInner = false): Line => ({ key: keyOf(row), row, runs: null, isOpen: false, isInner });

const groupKeyOf = (taskId: string): string => `runs:${taskId}`;

/** Runs of one task as one line, at the place of the newest; the runs of an open one follow it. */
export function linesOf(rows: readonly Activity[], isGrouped: boolean, open: ReadonlySet<string>): Line[] {
  if (!isGrouped) return rows.map((row) => single(row));
  const runs = new Map<string, Activity[]>();
  for (const row of rows) {
    if (row.kind !== 'execution' || row.taskId === null) continue;
    const existing = runs.get(row.taskId);
    if (existing) existing.push(row);
    else runs.set(row.taskId, [row]);
  }
  return rows.flatMap((row) => {
    const all = row.taskId === null || row.kind !== 'execution' ? undefined : runs.get(row.taskId);
    if (all === undefined || all.length === 1 || row.taskId === null) return [single(row)];
    if (all[0] !== row) return [];
    const key = groupKeyOf(row.taskId);
    const isOpen = open.has(key);
    return [{ key, row, runs: all, isOpen, isInner: false }, ...(isOpen ? all.map((run) => single(run, true)) : [])];
  });
}

/** How many records came to what, the worst first. */
export function outcomesOf(rows: readonly Pick<Activity, 'status'>[]): { outcome: RecordOutcome; count: number }[] {
  return OUTCOMES.map((outcome) => ({
    outcome,
    count: rows.filter(({ status }) => outcomeOf(status) === outcome).length,
  })).filter(({ count }) => count > 0);
}
