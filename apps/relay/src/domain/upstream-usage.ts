import { isPlainObject } from '@switchyard/kernel';
import { TokenCounts } from './pricing';

const MAX_TOKENS = 1_000_000_000;
const SHOWN_LENGTH = 200;

/** An upstream gave numbers that no call can have used. They count as if it had given none. */
export interface ImplausibleUsage {
  /** Its own words, for the log. */
  implausible: string;
}

export type ReportedUsage = TokenCounts | ImplausibleUsage;

/** The numbers to pay by; null where the upstream gave none that can be believed. */
export const plausibleUsage = (usage: ReportedUsage | null): TokenCounts | null =>
  usage === null || 'implausible' in usage ? null : usage;

interface UpstreamCounts {
  prompt?: number;
  completion?: number;
  total?: number;
  reasoning?: number;
}

const isTokens = (value: number): boolean => Number.isSafeInteger(value) && value >= 0 && value <= MAX_TOKENS;

function countsOf(given: UpstreamCounts): TokenCounts | null {
  if (Object.values(given).some((value: number | undefined) => value !== undefined && !isTokens(value))) return null;
  const { prompt, completion, total } = given;
  if (completion === undefined) {
    const promptTokens = prompt ?? total ?? 0;
    return { promptTokens, completionTokens: Math.max(0, (total ?? 0) - promptTokens), estimated: false };
  }
  // Every call has a prompt: an upstream that reports only the answer's tokens has left out the rest.
  const promptTokens = prompt ?? (total ?? -1) - completion;
  if (promptTokens < 0) return null;
  return { promptTokens, completionTokens: completion + besides(given, promptTokens + completion), estimated: false };
}

/** Reasoning is a part of what was written; some upstreams count it beside that, and their total says so. */
const besides = ({ total, reasoning }: UpstreamCounts, output: number): number =>
  reasoning !== undefined && total === output + reasoning ? reasoning : 0;

/** The `usage` object of any OpenAI-compatible answer; null when it has no number of tokens. */
function readUsage(usage: unknown): ReportedUsage | null {
  if (!isPlainObject(usage)) return null;
  const given = {
    prompt: usage['prompt_tokens'] ?? usage['input_tokens'] ?? undefined,
    completion: usage['completion_tokens'] ?? usage['output_tokens'] ?? undefined,
    total: usage['total_tokens'] ?? undefined,
    reasoning: reasoningIn(usage['completion_tokens_details'] ?? usage['output_tokens_details']),
  };
  if (Object.values(given).every((value) => value === undefined)) return null;
  return countsOf(given as UpstreamCounts) ?? { implausible: JSON.stringify(usage).slice(0, SHOWN_LENGTH) };
}

/** A value that is no token count is ignored and does not invalidate the others. */
const reasoningIn = (details: unknown): number | undefined => {
  const tokens = isPlainObject(details) ? details['reasoning_tokens'] : undefined;
  return typeof tokens === 'number' && isTokens(tokens) ? tokens : undefined;
};

/** Usage as it stands in a whole answer, a stream's chunk, or a `response.completed` event. */
export function findUsage(answer: unknown): ReportedUsage | null {
  if (!isPlainObject(answer)) return null;
  return (
    readUsage(answer['usage']) ?? (isPlainObject(answer['response']) ? readUsage(answer['response']['usage']) : null)
  );
}
