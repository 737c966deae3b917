import type { DatasetField } from '@switchyard/contracts';
import { checkNewSchema } from './check-schema';
import { layoutOf } from './table-layout';
import { readRecord, withDefaults } from './parse-records';

const written = (fields: DatasetField[], record: Record<string, unknown>) => {
  const layout = layoutOf('d', 1, checkNewSchema({ fields }));
  return withDefaults(
    layout,
    readRecord(layout, record, () => 'record'),
  );
};

describe('records', () => {
  it('have a decimal of the enum in any spelling', () => {
    const fields: DatasetField[] = [{ name: 'price', type: 'decimal', enum: ['1.0', '20'] }];
    expect(written(fields, { price: '1.00' })).toEqual({ c1: '1.00' });
    expect(written(fields, { price: '20.0' })).toEqual({ c1: '20.0' });
    expect(() => written(fields, { price: '2.0' })).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });

  it('have a value of the enum, of any type', () => {
    const has = (field: Omit<DatasetField, 'name'>, value: unknown): boolean => {
      try {
        written([{ name: 'a', ...field }], { a: value });
        return true;
      } catch {
        return false;
      }
    };
    const enumOf = (type: DatasetField['type'], ...values: unknown[]) => ({ type, enum: values });
    const zero = enumOf('decimal', '0', '10', '-1.50');
    expect(['0.00', '-0', '10.0', '-1.5'].every((text) => has(zero, text))).toBe(true);
    expect(['1', '100', '1.5', '0.1'].some((text) => has(zero, text))).toBe(false);
    const time = enumOf('datetime', '2026-01-01T00:00:00Z');
    expect(has(time, '2026-01-01T01:00:00+01:00')).toBe(true);
    expect(has(time, '2026-01-01T01:00:00Z')).toBe(false);
    const json = enumOf('json', { a: 1, b: [2] }, '{"a":1}');
    expect(has(json, { b: [2], a: 1 })).toBe(true);
    expect(has(json, '{"a":1}')).toBe(true);
    expect(has(json, { a: 1 })).toBe(false);
    expect(has(enumOf('string[]', ['a', 'b']), ['b', 'a'])).toBe(false);
    expect(has(enumOf('integer', 1), 1)).toBe(true);
  });

  it('read the values of an enum and a default once, and not for each record', () => {
    const values = Array.from({ length: 1000 }, (_, at) => new Date(at * 1000).toISOString());
    const fields = Array.from({ length: 100 }, (_, at): DatasetField => {
      return { name: `f${at}`, type: 'datetime', enum: values, default: values.at(-1) };
    });
    const layout = layoutOf('d', 1, checkNewSchema({ fields }));
    const records = Array.from({ length: 1000 }, () =>
      withDefaults(
        layout,
        readRecord(layout, {}, () => 'record'),
      ),
    );
    expect(records.at(-1)).toMatchObject({ c100: values.at(-1) });
  });

  it('get null where it is the default', () => {
    const fields: DatasetField[] = [{ name: 'a', type: 'string', default: null }];
    expect(written(fields, {})).toEqual({ c1: null });
    expect(written(fields, { a: 'x' })).toEqual({ c1: 'x' });
    expect(() => written([{ name: 'a', type: 'string', required: true, default: null }], {})).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR' }),
    );
  });
});
