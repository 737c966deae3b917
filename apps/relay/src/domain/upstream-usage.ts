import { isPlainObject } from '@switchyard/kernel';
import { TokenCounts } from './pricing';

const MAX_TOKENS = 1_000_000_000;

const tokens = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= MAX_TOKENS ? Math.round(value) : null;

/** The `usage` object of any OpenAI-compatible answer; null when there is none that can be believed. */
export function readUsage(usage: unknown): TokenCounts | null {
  if (!isPlainObject(usage)) return null;
  const prompt = tokens(usage['prompt_tokens']) ?? tokens(usage['input_tokens']);
  const completion = tokens(usage['completion_tokens']) ?? tokens(usage['output_tokens']);
  const total = tokens(usage['total_tokens']);
  if (prompt === null && completion === null)
    return total === null ? null : { promptTokens: total, completionTokens: 0, estimated: false };
  return {
    promptTokens: prompt ?? 0,
    completionTokens: completion ?? Math.max(0, (total ?? 0) - (prompt ?? 0)),
    estimated: false,
  };
}

/** Usage as it stands in a whole answer, a stream's chunk, or a `response.completed` event. */
export function findUsage(answer: unknown): TokenCounts | null {
  if (!isPlainObject(answer)) return null;
  return (
    readUsage(answer['usage']) ?? (isPlainObject(answer['response']) ? readUsage(answer['response']['usage']) : null)
  );
}
