import type { DatasetField } from '@switchyard/contracts';
import { enumValuesOf, fieldBytes } from './enum-values';

const KIB = 1024;

describe('the memory of a field', () => {
  it.each<[string, (n: number) => unknown, DatasetField['type']]>([
    ['texts', (n) => n.toString(36), 'string'],
    ['numbers', (n) => n, 'integer'],
    ['lists', (n) => [n], 'json'],
  ])('counts the values that it may have as %s, and their set', (_what, valueOf, type) => {
    const list = JSON.stringify(Array.from({ length: 13_000 }, (_, n) => valueOf(n)));
    expect(list.length).toBeLessThan(120 * KIB);
    const field: DatasetField = { name: 'a', type, enum: JSON.parse(list) as [] };
    expect(enumValuesOf(field)?.has(valueOf(12_999))).toBe(true);
    expect(fieldBytes(field)).toBeGreaterThan(13_000 * 100);
  });

  it('without a list is that of its JSON', () => {
    const field: DatasetField = { name: 'a', type: 'string', default: 'x'.repeat(100) };
    expect(fieldBytes(field)).toBe(JSON.stringify(field).length);
  });
});
