import { cleanText } from '@switchyard/kernel';

const MAX_DEPTH = 32;

/**
 * Somebody else's output, fit to be stored and shown: texts made storable, depth and size bounded. What is too large
 * becomes its own beginning as text, so that nothing downstream meets a megabyte it did not ask for.
 */
export function boundedOutput(value: unknown, maxChars: number): unknown {
  const clean = cleaned(value, 0);
  const text = JSON.stringify(clean);
  if (text.length <= maxChars) return clean;
  const head = (typeof clean === 'string' ? clean : text).slice(0, maxChars).toWellFormed();
  return `${head}\n[shortened: ${text.length - maxChars} more characters]`;
}

function cleaned(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean' || value === null) return value;
  if (typeof value !== 'object') return null;
  if (depth >= MAX_DEPTH) return '[nested too deep]';
  if (Array.isArray(value)) return value.map((item) => cleaned(item, depth + 1));
  const entries = Object.entries(value).filter(([key]) => key !== '__proto__');
  return Object.fromEntries(entries.map(([key, item]) => [cleanText(key), cleaned(item, depth + 1)]));
}
