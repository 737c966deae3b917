import type {
  EmissionStatus,
  EventCounts,
  EventStatsRequest,
  IntervalCounts,
  StatsInterval,
  StatusCounts,
} from '@switchyard/contracts';
import { invalid } from '@switchyard/kernel';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_INTERVALS = 1000;

export interface StatsWindow {
  from: string;
  to: string;
  interval: StatsInterval;
  appIdentifier?: string;
  event?: string;
}

export interface StatsRow {
  at: string;
  appIdentifier: string;
  event: string;
  status: EmissionStatus;
  count: number;
}

export function statsWindow(
  { from, to, interval = 'hour', appIdentifier, event }: EventStatsRequest,
  now: Date,
): StatsWindow {
  const end = to === undefined ? now : new Date(to);
  const span = interval === 'hour' ? DAY_MS : 30 * DAY_MS;
  const start = from === undefined ? new Date(end.getTime() - span) : new Date(from);
  if (start >= end) throw invalid('from', 'must be before `to`');
  if (end.getTime() - start.getTime() > MAX_INTERVALS * (interval === 'hour' ? HOUR_MS : DAY_MS)) {
    throw invalid('from', `must be at most ${MAX_INTERVALS} intervals before \`to\``);
  }
  return { from: start.toISOString(), to: end.toISOString(), interval, appIdentifier, event };
}

const none = (): StatusCounts => ({ total: 0, PENDING: 0, DISPATCHED: 0, SKIPPED: 0, FAILED: 0 });

function count<Counts extends StatusCounts>(counts: Counts, row: StatsRow): Counts {
  counts[row.status] += row.count;
  counts.total += row.count;
  return counts;
}

function grouped<Counts extends StatusCounts>(
  rows: readonly StatsRow[],
  keyOf: (row: StatsRow) => string,
  begin: (row: StatsRow) => Counts,
): Counts[] {
  const groups = new Map<string, Counts>();
  for (const row of rows) {
    const key = keyOf(row);
    groups.set(key, count(groups.get(key) ?? begin(row), row));
  }
  return [...groups.values()];
}

export const byStatus = (rows: readonly StatsRow[]): StatusCounts => rows.reduce(count, none());

/** The busiest first. */
export const byEvent = (rows: readonly StatsRow[]): EventCounts[] =>
  grouped(
    rows,
    (row) => `${row.appIdentifier}\n${row.event}`,
    ({ appIdentifier, event }) => ({ appIdentifier, event, ...none() }),
  ).sort((a, b) => b.total - a.total);

export const overTime = (rows: readonly StatsRow[]): IntervalCounts[] =>
  grouped(
    rows,
    (row) => row.at,
    ({ at }) => ({ at, ...none() }),
  );
