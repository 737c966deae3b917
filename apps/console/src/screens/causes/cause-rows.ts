import type { CauseTree } from '@switchyard/client';
import { isUnderWay } from '../../api/status';

export type Cause = CauseTree['nodes'][number];

export interface CauseRow {
  cause: Cause;
  level: number;
  hasChildren: boolean;
}

export interface Window {
  from: number;
  to: number;
}

/** The tree as rows, parents before their children, without what is folded. */
export function rowsOf({ nodes, root }: Pick<CauseTree, 'nodes' | 'root'>, folded: ReadonlySet<string>): CauseRow[] {
  const children = new Map<string, Cause[]>();
  for (const node of nodes)
    if (node.parentKey !== null) children.set(node.parentKey, [...(children.get(node.parentKey) ?? []), node]);
  const rows: CauseRow[] = [];
  const seen = new Set<string>();
  const walk = (cause: Cause, level: number): void => {
    if (seen.has(cause.key)) return;
    seen.add(cause.key);
    const below = (children.get(cause.key) ?? []).toSorted(byStart);
    rows.push({ cause, level, hasChildren: below.length > 0 });
    if (!folded.has(cause.key)) for (const child of below) walk(child, level + 1);
  };
  const top = nodes.find(({ key }) => key === root);
  if (top) walk(top, 1);
  return rows;
}

/** Causes and effects of a record, without the rest of its tree. */
export function branchOf(tree: Pick<CauseTree, 'nodes' | 'root'>, id: string): CauseRow[] {
  const rows = rowsOf(tree, new Set());
  const index = rows.findIndex(({ cause }) => cause.id === id);
  const own = rows[index];
  if (!own) return [];
  const above: CauseRow[] = [];
  for (let next: string | null = own.cause.parentKey; next !== null;) {
    const row: CauseRow | undefined = rows.find(({ cause }) => cause.key === next);
    if (row) above.unshift(row);
    next = row?.cause.parentKey ?? null;
  }
  const end = rows.findIndex(({ level }, at) => at > index && level <= own.level);
  return [...above, ...rows.slice(index, end === -1 ? undefined : end)];
}

const byStart = (a: Cause, b: Cause): number => (a.startedAt ?? '').localeCompare(b.startedAt ?? '');

/** From the first start to the last end; what still runs ends now. */
export function windowOf(nodes: readonly Cause[], now: number): Window {
  const starts = nodes.flatMap(({ startedAt }) => (startedAt ? [Date.parse(startedAt)] : []));
  const ends = nodes.flatMap((node) => (node.startedAt ? [endOf(node, now)] : []));
  const from = starts.length > 0 ? Math.min(...starts) : now;
  return { from, to: Math.max(from + 1, ...ends) };
}

const endOf = ({ startedAt, finishedAt, status }: Cause, now: number): number => {
  if (finishedAt) return Date.parse(finishedAt);
  return isUnderWay(status ?? '') ? now : Date.parse(startedAt ?? '');
};

/** Where a bar lies, in parts of a hundred. */
export function barOf(cause: Cause, { from, to }: Window, now: number): { left: number; width: number } | null {
  if (!cause.startedAt) return null;
  const start = Date.parse(cause.startedAt);
  const share = 100 / (to - from);
  return { left: (start - from) * share, width: Math.max(0.6, (Math.max(start, endOf(cause, now)) - start) * share) };
}

/** The instants that the axis names: from the start to the end, in equal parts. */
export const ticksOf = ({ from, to }: Window, parts = 4): number[] =>
  Array.from({ length: parts + 1 }, (_, part) => ((to - from) * part) / parts);
