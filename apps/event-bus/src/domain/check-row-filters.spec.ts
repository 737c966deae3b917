import type { ManifestEvent } from '@switchyard/contracts';
import { checkRowFilters, fieldTypesOf, filteredDatasets } from './check-row-filters';

const event = (dataset: string, filter?: Record<string, unknown>): ManifestEvent => ({
  name: 'row.changed',
  schema: {},
  emitOn: { dataset, operations: ['insert'], ...(filter && { filter }) },
});
const types = new Map([['d', fieldTypesOf([{ name: 'total', type: 'decimal' }])]]);

describe('a filter of rows', () => {
  it.each([
    [{ total: '1.50', createdAt: { gt: '2026-01-01T00:00:00Z' } }, null],
    [{ or: [{ totl: '1' }] }, 'or[0].totl'],
    [{ Total: '1' }, 'Total'],
    [{ total: 1 }, 'total'],
    [{ id: 'x' }, 'id'],
  ])('%j is held to the fields of its dataset', (filter, wrong) => {
    const check = () => {
      checkRowFilters([{ name: 'other', schema: {} }, event('d', filter)], types);
    };
    if (wrong === null) expect(check).not.toThrow();
    else expect(check).toThrow(`manifest.events[1].emitOn.filter.${wrong}`);
  });

  it('is what a dataset is asked for, once', () => {
    expect(filteredDatasets([event('a', {}), event('b'), event('a', { x: 1 }), { name: 'e', schema: {} }])).toEqual([
      'a',
    ]);
  });
});
