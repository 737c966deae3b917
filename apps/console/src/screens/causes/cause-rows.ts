import type { CauseTree } from '@switchyard/client';
import { hasFailed } from '../../api/status';
import { type Cause, type Scale, type Window, endOf } from './cause-time';

export type { Cause, Window } from './cause-time';

export interface CauseRow {
  cause: Cause;
  level: number;
  hasChildren: boolean;
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

/** A model call has only its end: the ledger has no other time. */
const firstTimeOf = ({ startedAt, finishedAt }: Cause): string | null => startedAt ?? finishedAt ?? null;
const byStart = (a: Cause, b: Cause): number => (firstTimeOf(a) ?? '').localeCompare(firstTimeOf(b) ?? '');

/** From the first start to the last end; what still runs ends now. */
export function windowOf(nodes: readonly Cause[], now: number): Window {
  const starts = nodes.flatMap(({ startedAt }) => (startedAt ? [Date.parse(startedAt)] : []));
  const ends = nodes.flatMap((node) => (node.startedAt ? [endOf(node, now)] : []));
  const from = starts.length > 0 ? Math.min(...starts) : now;
  return { from, to: Math.max(from + 1, ...ends) };
}

/** A delivery is folded into the one record that it started; others stay. */
export function withoutDeliveries(nodes: readonly Cause[]): Cause[] {
  const childrenOf = (key: string): Cause[] => nodes.filter(({ parentKey }) => parentKey === key);
  const folded = new Map(
    nodes
      .filter(({ key, kind }) => kind === 'delivery' && childrenOf(key).length === 1)
      .map(({ key, parentKey }) => [key, parentKey]),
  );
  return nodes
    .filter(({ key }) => !folded.has(key))
    .map((node) =>
      node.parentKey !== null && folded.has(node.parentKey)
        ? { ...node, parentKey: folded.get(node.parentKey) ?? null }
        : node,
    );
}

/** The first failure, as deep in the tree as it goes: its parents failed because of it. */
export function firstFailure(rows: readonly CauseRow[]): Cause | undefined {
  const failed = rows.filter(({ cause }) => hasFailed(cause.status ?? ''));
  return failed.find(({ cause }) => !failed.some((other) => other.cause.parentKey === cause.key))?.cause;
}

/** Where a bar lies, in percent; null outside the window. */
export function barOf(
  cause: Cause,
  { from, to }: Window,
  scale: Scale,
  now: number,
): { left: number; width: number } | null {
  const first = firstTimeOf(cause);
  if (first === null) return null;
  const start = Date.parse(first);
  const end = Math.max(start, endOf(cause, now));
  if (end < from || start > to) return null;
  const begin = Math.min(99.4, scale.at(start));
  return { left: begin, width: Math.max(0.6, scale.at(end) - begin) };
}

/** Shares of the width that the axis names. */
export const TICKS = [0, 0.25, 0.5, 0.75, 1] as const;
