import { ContextEntry, tokensOf, wholeEntries } from './context-messages';

export const COMPACT_AT = 0.8;
const KEEP_SHARE = 0.25;
export const SUMMARY_MAX_TOKENS = 512;

export interface CompactionPlan {
  /** Messages that the summary replaces, oldest first. */
  summarised: ContextEntry[];
  /** Messages that are kept unchanged. */
  kept: ContextEntry[];
  /** The last message that the summary speaks for. */
  summarySeq: number;
  /** At most half of what it replaces, so that a compaction always makes room. */
  summaryTokens: number;
}

export const isOverfull = (tokens: number, window: number): boolean => tokens >= window * COMPACT_AT;

/** Where the recent part may begin: at a message of the user, or at the head of a group of tool calls and results. */
function cuts(entries: readonly ContextEntry[]): number[] {
  return entries.flatMap((entry, at) => (entry.role === 'tool' ? [] : [at]));
}

/** The last exchange is never summarised: from the newest user message on, or the last group where there is none. */
function lastCut(entries: readonly ContextEntry[], at: number[]): number {
  const lastUser = entries.findLastIndex((entry) => entry.role === 'user');
  return lastUser >= 0 ? lastUser : (at.at(-1) ?? 0);
}

/**
 * Decides which part of a context becomes a summary. Null when there is nothing older than the last exchange.
 * `entries` are the messages after the present summary, oldest first.
 */
export function planCompaction(
  entries: readonly ContextEntry[],
  present: { summaryTokens: number; window: number },
): CompactionPlan | null {
  const whole = wholeEntries(entries);
  const possible = cuts(whole);
  const latest = lastCut(whole, possible);
  const total = present.summaryTokens + tokensOf(whole);
  const budget = Math.min(present.window * KEEP_SHARE, total / 2);
  // Exchanges are kept whole where they fit; a single long one is parted between its steps.
  const fitting = possible.filter((at) => at <= latest && tokensOf(whole.slice(at)) <= budget);
  const cut = fitting.find((at) => whole[at]?.role === 'user') ?? fitting[0] ?? latest;
  const summarised = whole.slice(0, cut);
  const last = summarised.at(-1);
  if (!last) return null;
  const replaced = present.summaryTokens + tokensOf(summarised);
  return {
    summarised,
    kept: whole.slice(cut),
    summarySeq: last.seq,
    summaryTokens: Math.max(1, Math.min(SUMMARY_MAX_TOKENS, Math.floor(replaced / 2))),
  };
}
