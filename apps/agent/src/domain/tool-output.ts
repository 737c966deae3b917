import { cleanJson } from '@switchyard/kernel';

const MAX_DEPTH = 32;

/**
 * Somebody else's output, fit to be stored and shown: texts made storable, depth and size bounded. What is too large
 * becomes its own beginning as text, so that nothing downstream meets a megabyte it did not ask for.
 */
export function boundedOutput(value: unknown, maxChars: number): unknown {
  const clean = cleanJson(value, MAX_DEPTH);
  const text = JSON.stringify(clean);
  if (text.length <= maxChars) return clean;
  const head = (typeof clean === 'string' ? clean : text).slice(0, maxChars).toWellFormed();
  return `${head}\n[shortened: ${text.length - maxChars} more characters]`;
}
