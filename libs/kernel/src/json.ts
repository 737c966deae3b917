import { createHash } from 'node:crypto';
import { invalid } from './errors';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = Record<string, unknown>;

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface JsonLimits {
  depth: number;
  nodes: number;
  keyLength: number;
  /** Texts may hold what cannot be stored: they are only looked at. */
  anyText?: boolean;
}

export const JSON_LIMITS: JsonLimits = { depth: 64, nodes: 200_000, keyLength: 256 };

function checkText(text: string, path: string): void {
  if (text.includes('\u0000')) throw invalid(path, 'must not contain the NUL character');
  if (!text.isWellFormed()) throw invalid(path, 'must be well-formed Unicode');
}

function checkKey(key: string, path: string, limits: JsonLimits): void {
  if (key === '__proto__') throw invalid(path, 'must not have a key called __proto__');
  if (key.length > limits.keyLength) throw invalid(path, `has a key of over ${limits.keyLength} characters`);
  checkText(key, path);
}

/**
 * Walks parsed JSON without recursion and refuses what would hurt further in: nesting, node floods,
 * the key __proto__, NUL, lone surrogates and numbers that JavaScript could not keep.
 */
export function checkJson(value: unknown, limits: JsonLimits = JSON_LIMITS): void {
  const stack: { value: unknown; path: string; depth: number }[] = [{ value, path: '', depth: 0 }];
  let nodes = 0;
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    nodes += 1;
    if (nodes > limits.nodes) throw invalid('', `must not hold more than ${limits.nodes} values`);
    const { value: node, path, depth } = item;
    if (typeof node === 'string') {
      if (!limits.anyText) checkText(node, path);
    } else if (typeof node === 'number' && !Number.isFinite(node)) throw invalid(path, 'is a number out of range');
    else if (typeof node === 'object' && node !== null) {
      if (depth >= limits.depth) throw invalid(path, `is nested deeper than ${limits.depth} levels`);
      if (Array.isArray(node)) {
        for (let i = node.length - 1; i >= 0; i -= 1) {
          stack.push({ value: node[i], path: `${path}[${i}]`, depth: depth + 1 });
        }
      } else {
        for (const [key, child] of Object.entries(node)) {
          checkKey(key, path, limits);
          stack.push({ value: child, path: path === '' ? key : `${path}.${key}`, depth: depth + 1 });
        }
      }
    }
  }
}

/** The same text for the same value: keys sorted, no white space. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (isPlainObject(value)) {
    const parts = Object.keys(value)
      .filter((key) => value[key] !== undefined)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
    return `{${parts.join(',')}}`;
  }
  // undefined and functions have no JSON, whatever the declared type says.
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- the declared type is wrong
  return JSON.stringify(value) ?? 'null';
}

/** A short, stable name for a value: SHA-256 of its canonical JSON. */
export const fingerprint = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value)).digest('base64url');

/** For text that a model or a tool wrote: keeps it storable instead of refusing it. */
export const cleanText = (text: string): string => text.toWellFormed().replaceAll('\u0000', '\uFFFD');

/** The same for JSON that a model, a tool or an address answered. What is nested deeper than `levels` is only said to be there. */
export function cleanJson(value: unknown, levels = Infinity): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || value === null) return typeof value === 'boolean' ? value : null;
  if (levels <= 0) return '[nested too deep]';
  if (Array.isArray(value)) return value.map((item) => cleanJson(item, levels - 1));
  const entries = Object.entries(value).filter(([key]) => key !== '__proto__');
  return Object.fromEntries(entries.map(([key, child]) => [cleanText(key), cleanJson(child, levels - 1)]));
}
