import { cleanJson } from '@switchyard/kernel';

const MAX_DEPTH = 32;

/**
 * Makes external output safe to store and show: valid text, bounded depth and size. A value that is too large is
 * replaced by its first characters as text.
 */
export function limitToolOutput(value: unknown, maxChars: number): unknown {
  const clean = cleanJson(value, MAX_DEPTH);
  const text = JSON.stringify(clean);
  if (text.length <= maxChars) return clean;
  const head = (typeof clean === 'string' ? clean : text).slice(0, maxChars).toWellFormed();
  return `${head}\n[shortened: ${text.length - maxChars} more characters]`;
}
