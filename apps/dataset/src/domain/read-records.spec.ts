import type { DatasetField } from '@switchyard/contracts';
import { checkNewSchema } from './check-schema';
import { layoutOf } from './layout';
import { readRecord, withDefaults } from './read-records';

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

  it('get null where it is the default', () => {
    const fields: DatasetField[] = [{ name: 'a', type: 'string', default: null }];
    expect(written(fields, {})).toEqual({ c1: null });
    expect(written(fields, { a: 'x' })).toEqual({ c1: 'x' });
    expect(() => written([{ name: 'a', type: 'string', required: true, default: null }], {})).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR' }),
    );
  });
});
