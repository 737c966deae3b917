import type { CauseTree } from '@switchyard/client';
import { isUnderWay } from '../../api/status';

export type Cause = CauseTree['nodes'][number];

export interface Window {
  from: number;
  to: number;
}

/** Kinds that work all the time that they run; the others may wait for a person, a time or a retry. */
const WORKING = new Set<string>(['model_call', 'tool_call', 'record_write']);
/** An interval without an event is compressed where it is longer than this share of the whole, and than a second. */
const LONG_SHARE = 0.15;
const LONG_MS = 1_000;
/** Width of a compressed interval, as a share of what is drawn. */
const GAP_SHARE = 0.05;

export type Gap = Window;

const startOf = ({ startedAt }: Cause): number | null => (startedAt ? Date.parse(startedAt) : null);

export function endOf({ startedAt, finishedAt, status }: Cause, now: number): number {
  if (finishedAt) return Date.parse(finishedAt);
  return isUnderWay(status ?? '') ? now : Date.parse(startedAt ?? '');
}

const spansOf = (nodes: readonly Cause[], now: number): Window[] =>
  nodes.flatMap((node) => {
    const from = startOf(node);
    return from === null ? [] : [{ from, to: Math.max(from, endOf(node, now)) }];
  });

/** Long intervals in which no record begins or ends and no call runs: waits, and pauses before a retry. */
export function gapsOf(nodes: readonly Cause[], window: Window, now: number): Gap[] {
  const instants = spansOf(nodes, now).flatMap(({ from, to }) => [from, to]);
  const inside = instants.filter((at) => at > window.from && at < window.to);
  const edges = [...new Set([window.from, ...inside, window.to])].toSorted((a, b) => a - b);
  const calls = spansOf(
    nodes.filter(({ kind }) => WORKING.has(kind)),
    now,
  );
  const least = Math.max(LONG_MS, (window.to - window.from) * LONG_SHARE);
  return edges
    .map((from, at) => ({ from, to: edges[at + 1] ?? from }))
    .filter(({ from, to }) => to - from >= least && !calls.some((call) => call.from < to && call.to > from));
}

export interface Scale {
  /** A time in percent of the width; outside the window it is its edge. */
  at: (time: number) => number;
  /** The time at a percentage. */
  timeAt: (share: number) => number;
}

/** From times to percent, where each gap has the same small width. */
export function scaleOf({ from, to }: Window, gaps: readonly Gap[]): Scale {
  const compressed = gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0);
  const running = Math.max(1, to - from - compressed);
  const shares = 1 - gaps.length * GAP_SHARE;
  const marks: { time: number; share: number }[] = [{ time: from, share: 0 }];
  const add = (time: number, width: number): void =>
    void marks.push({ time, share: (marks.at(-1)?.share ?? 0) + width });
  for (const gap of gaps) {
    add(gap.from, ((gap.from - (marks.at(-1)?.time ?? from)) / running) * shares);
    add(gap.to, GAP_SHARE);
  }
  add(to, ((to - (marks.at(-1)?.time ?? from)) / running) * shares);
  const between = (value: number, of: 'time' | 'share', target: 'time' | 'share'): number => {
    const next = marks.find((mark) => mark[of] >= value) ?? marks.at(-1);
    const before = marks.findLast((mark) => mark[of] <= value) ?? marks[0];
    if (!next || !before || next === before || next[of] === before[of]) return (next ?? before)?.[target] ?? 0;
    return before[target] + ((value - before[of]) / (next[of] - before[of])) * (next[target] - before[target]);
  };
  return {
    at: (time) => Math.max(0, Math.min(100, between(Math.max(from, Math.min(to, time)), 'time', 'share') * 100)),
    timeAt: (share) => between(share, 'share', 'time'),
  };
}

/** Time in which a record ran and none of the records right below it did. */
export function ownTimeOf(cause: Cause, nodes: readonly Cause[], now: number): number | null {
  const from = startOf(cause);
  if (from === null) return null;
  const to = Math.max(from, endOf(cause, now));
  const below = spansOf(
    nodes.filter(({ parentKey }) => parentKey === cause.key),
    now,
  ).toSorted((a, b) => a.from - b.from);
  let covered = 0;
  let until = from;
  for (const span of below) {
    const begin = Math.max(until, span.from);
    const end = Math.min(to, span.to);
    if (end <= begin) continue;
    covered += end - begin;
    until = end;
  }
  return to - from - covered;
}
