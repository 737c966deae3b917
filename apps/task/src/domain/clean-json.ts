import { cleanText, isPlainObject } from '@switchyard/kernel';

/** Makes what an address or an agent answered storable, instead of failing the step over a character. */
export function cleanJson(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(cleanJson);
  if (isPlainObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [cleanText(key), cleanJson(child)]));
  return value ?? null;
}
