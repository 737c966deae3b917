import { layoutOf } from './table-layout';
import { BATCH_BYTES, checkRecordSize, checkSizes, RECORD_BYTES, recordBytes } from './record-size-limits';
import { withDefaults } from './parse-records';

const layout = layoutOf('0198c000-0000-7000-8000-000000000000', 1, {
  fields: [
    { name: 'title', type: 'string', column: 1 },
    { name: 'price', type: 'decimal', column: 2 },
    { name: 'extra', type: 'json', column: 3 },
    { name: 'note', type: 'string', column: 4, default: 'n'.repeat(4000) },
  ],
});
const path = (index: number): string => `records[${index}]`;
const ofBytes = (bytes: number): { c1: string } => ({ c1: 'x'.repeat(bytes - '{"title":""}'.length) });

describe('the size of a record', () => {
  it.each([
    [{}, {}],
    [{ c1: 'a "quote" and ü' }, { title: 'a "quote" and ü' }],
    [
      { c2: '1.50', c3: { a: [1, null, true] } },
      { price: '1.50', extra: { a: [1, null, true] } },
    ],
    [
      { c1: null, c4: '\u0000' },
      { title: null, note: '\u0000' },
    ],
  ])('is the bytes of its compact JSON: %j', (values, record) => {
    expect(recordBytes(layout, values)).toBe(Buffer.byteLength(JSON.stringify(record)));
  });

  it('may be the limit, and no byte more', () => {
    expect(() => checkSizes(layout, [ofBytes(RECORD_BYTES)], path)).not.toThrow();
    expect(() => checkSizes(layout, [{}, ofBytes(RECORD_BYTES + 1)], path)).toThrow(
      'records[1]: must be at most 1048576 bytes',
    );
    expect(() => checkRecordSize(layout, ofBytes(RECORD_BYTES + 1), 'set')).toThrow('set: must be at most');
  });

  it('counts for all records of a batch together, and a batch may have its limit', () => {
    const ten = Array.from({ length: 10 }, () => ofBytes(BATCH_BYTES / 10));
    expect(() => checkSizes(layout, ten, path)).not.toThrow();
    expect(() => checkSizes(layout, [...ten, { c1: '' }], path)).toThrow('more than 10485760 bytes');
  });

  it('counts defaults once for each record, although they share one text', () => {
    const many = (count: number): Record<string, unknown>[] =>
      Array.from({ length: count }, () => withDefaults(layout, { c1: 'a' }));
    expect(() => checkSizes(layout, many(2500), path)).not.toThrow();
    expect(() => checkSizes(layout, many(2700), path)).toThrow('with the defaults of their fields');
  });
});
