import { isPlainObject } from '@switchyard/kernel';

export interface Vectors {
  dimensions: number;
  base64: string[];
}

const BYTES = 4;

function vectorOf(value: unknown): Buffer | null {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value, 'base64');
    return bytes.length > 0 && bytes.length % BYTES === 0 ? bytes : null;
  }
  if (!Array.isArray(value) || value.length === 0 || !value.every((item) => typeof item === 'number')) return null;
  const bytes = Buffer.alloc(value.length * BYTES);
  value.forEach((item, index) => bytes.writeFloatLE(item, index * BYTES));
  return bytes;
}

/**
 * The vectors of an answer in the order of the texts, numbers or base64; null unless each text has one of the same
 * length.
 */
export function readVectors(answer: unknown, count: number): Vectors | null {
  if (!isPlainObject(answer) || !Array.isArray(answer['data']) || answer['data'].length !== count) return null;
  const base64 = new Array<string>(count);
  let dimensions = 0;
  for (const [position, item] of (answer['data'] as unknown[]).entries()) {
    if (!isPlainObject(item)) return null;
    const vector = vectorOf(item['embedding']);
    const index = typeof item['index'] === 'number' ? item['index'] : position;
    if (!vector || index < 0 || index >= count || base64[index] !== undefined) return null;
    dimensions ||= vector.length / BYTES;
    if (vector.length / BYTES !== dimensions) return null;
    base64[index] = vector.toString('base64');
  }
  return { dimensions, base64 };
}
