import { type Calibration, isAlike } from './calibration';
import type { Measured, Shape } from './row';

/** Last measurements and their commit, stored beside the code so that a change shows its cost. */
export interface BenchRecord {
  [row: string]: RecordedRow;
}

export interface RecordedRow {
  /** The command: `npm run bench <name>`. */
  bench: string;
  /** How the services shared processes. Rows that were recorded before this was kept had a process per service. */
  shape?: Shape;
  commit: string;
  ratio: number;
  /** Missing in rows that were recorded before this was kept. */
  ours?: number;
  /** None for a row that is measured beside nothing. */
  theirs?: number;
  unit: string;
  target: string;
  judged?: Measured['judged'];
  met: boolean;
  /** Microseconds of one operation in each process. */
  cpu?: Record<string, number>;
  plan?: string;
  /** Version of Node, of both sides if they differ. Missing, like the calibration, in older rows. */
  node?: string;
  calibration?: Calibration;
}

export const shapeOf = ({ shape = 'services' }: RecordedRow): Shape => shape;

/** The run of which rows are recorded or checked. */
export interface BenchRun {
  commit: string;
  shape: Shape;
  node: string;
  calibration: Calibration;
}

/** Two runs of the same code differ by less than this, mostly. */
const TOLERATED = 0.15;

const nameOf = ({ what, beside: open }: Measured): string => `${what} | ${open}`;

/** Rows that are measured beside nothing have their own figure in its place. */
const ratioOf = ({ ratio, ours }: Measured): number => (Number.isFinite(ratio) ? ratio : ours);

const isHigherBetter = ({ target }: Measured): boolean => target.startsWith('>=');

const rounded = (value: number): number => Number(value.toPrecision(3));

const sum = (cpu: Readonly<Record<string, number>>): number => Object.values(cpu).reduce((all, us) => all + us, 0);

/** A row, and what measured it. */
export type BenchMeasured = Measured & { bench: string };

/** The record with these rows in it; rows that were not measured now stay as they are. */
export function recorded(record: BenchRecord, measured: readonly BenchMeasured[], run: BenchRun): BenchRecord {
  const calibration = { insertUs: rounded(run.calibration.insertUs), callUs: rounded(run.calibration.callUs) };
  const rows = new Map(Object.entries(record));
  for (const row of measured) {
    const { bench, unit, target, judged, met } = row;
    const cpu = row.cpu && Object.fromEntries(Object.entries(row.cpu).map(([name, us]) => [name, rounded(us)]));
    rows.set(nameOf(row), {
      bench,
      shape: run.shape,
      commit: run.commit,
      ratio: rounded(ratioOf(row)),
      ours: rounded(row.ours),
      ...(Number.isFinite(row.theirs) ? { theirs: rounded(row.theirs) } : {}),
      unit,
      target,
      ...(judged ? { judged } : {}),
      met,
      ...(cpu ? { cpu } : {}),
      ...(row.plan ? { plan: row.plan } : {}),
      node: row.theirNode && row.theirNode !== run.node ? `${run.node} beside ${row.theirNode}` : run.node,
      calibration,
    });
  }
  return Object.fromEntries([...rows].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * A line for each row that falls further behind its last recorded ratio than two runs of the same code differ. Rows that
 * were recorded in another shape, or on a machine of another speed, are not compared, and named.
 */
export function behind(
  record: BenchRecord,
  measured: readonly Measured[],
  { calibration, shape }: Pick<BenchRun, 'calibration' | 'shape'>,
): string[] {
  return measured.flatMap((row) => {
    const existing = record[nameOf(row)];
    if (!existing) return [];
    if (shapeOf(existing) !== shape)
      return [`${nameOf(row)}: not compared, it was recorded in the shape ${shapeOf(existing)} (${existing.commit})`];
    if (existing.calibration && !isAlike(existing.calibration, calibration))
      return [`${nameOf(row)}: not compared, it was recorded on a machine of another speed (${existing.commit})`];
    const now = ratioOf(row);
    const isBehind = isHigherBetter(row)
      ? now < existing.ratio * (1 - TOLERATED)
      : now > existing.ratio * (1 + TOLERATED);
    if (!isBehind) return [];
    const cpu =
      row.cpu && existing.cpu ? `; ${sum(row.cpu).toFixed(0)} us of CPU after ${sum(existing.cpu).toFixed(0)}` : '';
    return [`${nameOf(row)}: ${now.toFixed(3)} after ${existing.ratio} (${existing.commit})${cpu}`];
  });
}

/** A line for each row of these benches that stands in the record and was not measured: its peer did not start, say. */
export function missing(
  record: BenchRecord,
  measured: readonly BenchMeasured[],
  { benches, shape }: { benches: readonly string[]; shape: Shape },
): string[] {
  const seen = new Set(measured.map(nameOf));
  return Object.entries(record).flatMap(([name, row]) =>
    benches.includes(row.bench) && shapeOf(row) === shape && !seen.has(name) ? [`${name}: not measured`] : [],
  );
}
