import { invalid } from './errors';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = Record<string, unknown>;

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface JsonLimits {
  depth: number;
  nodes: number;
  keyLength: number;
  /** Allow texts that cannot be stored: they are only read. */
  anyText?: boolean;
}

export const JSON_LIMITS: JsonLimits = { depth: 64, nodes: 200_000, keyLength: 256 };

function checkText(text: string, path: () => string): void {
  if (text.includes('\u0000')) throw invalid(path(), 'must not contain the NUL character');
  if (!text.isWellFormed()) throw invalid(path(), 'must be well-formed Unicode');
}

function checkKey(key: string, path: () => string, limits: JsonLimits): void {
  if (key === '__proto__') throw invalid(path(), 'must not have a key called __proto__');
  if (key.length > limits.keyLength) throw invalid(path(), `has a key of over ${limits.keyLength} characters`);
  checkText(key, path);
}

interface JsonNode {
  value: unknown;
  /** The parent list or object, and its name or index there. */
  parent: JsonNode | null;
  name: string | number;
  depth: number;
}

function pathOf(node: JsonNode | null): string {
  let path = '';
  for (let at = node; at?.parent; at = at.parent) {
    const rest = path === '' || path.startsWith('[') ? path : `.${path}`;
    path = typeof at.name === 'number' ? `[${at.name}]${rest}` : `${at.name}${rest}`;
  }
  return path;
}

/**
 * Walks parsed JSON without recursion and rejects deep nesting, too many nodes, the key __proto__, NUL, lone surrogates
 * and numbers that JavaScript cannot represent. Can run in slices.
 */
export class JsonCheck {
  private readonly stack: JsonNode[];
  private nodes = 0;

  constructor(
    value: unknown,
    private readonly limits: JsonLimits = JSON_LIMITS,
  ) {
    this.stack = [{ value, parent: null, name: '', depth: 0 }];
  }

  /** Checks up to `most` values; true when done. Throws if one is rejected. */
  run(most = Infinity): boolean {
    for (let looked = 0; looked < most; looked += 1) {
      const node = this.stack.pop();
      if (!node) return true;
      this.nodes += 1;
      this.checkNode(node);
    }
    return this.stack.length === 0;
  }

  private checkNode(node: JsonNode): void {
    const { value, depth } = node;
    if (typeof value === 'string') {
      if (!this.limits.anyText) checkText(value, () => pathOf(node));
    } else if (typeof value === 'number' && !Number.isFinite(value))
      throw invalid(pathOf(node), 'is a number out of range');
    else if (typeof value === 'object' && value !== null) {
      if (depth >= this.limits.depth) throw invalid(pathOf(node), `is nested deeper than ${this.limits.depth} levels`);
      if (Array.isArray(value)) this.pushList(node, value);
      else this.pushObject(node, value as Record<string, unknown>);
    }
  }

  private pushList(parent: JsonNode, list: unknown[]): void {
    this.checkCount(list.length);
    for (let at = list.length - 1; at >= 0; at -= 1)
      this.stack.push({ value: list[at], parent, name: at, depth: parent.depth + 1 });
  }

  private pushObject(parent: JsonNode, object: Record<string, unknown>): void {
    const names = Object.keys(object);
    this.checkCount(names.length);
    for (const name of names) {
      checkKey(name, () => pathOf(parent), this.limits);
      this.stack.push({ value: object[name], parent, name, depth: parent.depth + 1 });
    }
  }

  private checkCount(children: number): void {
    if (this.nodes + this.stack.length + children > this.limits.nodes)
      throw invalid('', `must not hold more than ${this.limits.nodes} values`);
  }
}

/** Checks all at once. */
export function checkJson(value: unknown, limits: JsonLimits = JSON_LIMITS): void {
  new JsonCheck(value, limits).run();
}

/** Makes the text of a model or a tool storable instead of rejecting it. */
export const cleanText = (text: string): string => text.toWellFormed().replaceAll('\u0000', '\uFFFD');

/**
 * Makes JSON from a model, a tool or an HTTP server storable. Values nested deeper than `levels` become a placeholder.
 */
export function cleanJson(value: unknown, levels = Infinity): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || value === null) return typeof value === 'boolean' ? value : null;
  if (levels <= 0) return '[nested too deep]';
  if (Array.isArray(value)) return value.map((item) => cleanJson(item, levels - 1));
  const entries = Object.entries(value).filter(([key]) => key !== '__proto__');
  return Object.fromEntries(entries.map(([key, child]) => [cleanText(key), cleanJson(child, levels - 1)]));
}
