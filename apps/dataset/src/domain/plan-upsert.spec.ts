import { checkNewSchema } from './check-schema';
import { layoutOf } from './table-layout';
import { conflictColumn, planUpsert } from './plan-upsert';

const layout = layoutOf(
  'd',
  1,
  checkNewSchema({
    fields: [
      { name: 'key', type: 'decimal', unique: true },
      { name: 'x', type: 'integer' },
      { name: 'y', type: 'integer' },
    ],
  }),
);
const column = conflictColumn(layout, { field: 'key', action: 'UPDATE' });
const row = (id: string, key: string | null, more: object = {}) => ({ id, values: { c1: key, ...more } });

describe('planUpsert', () => {
  it('inserts what is new and merges into what is there', () => {
    const plan = planUpsert(
      column,
      'UPDATE',
      [row('n1', '1', { c2: 1 }), row('n2', '2', { c2: 2 })],
      new Map([['2', 'old']]),
    );
    expect(plan).toMatchObject({ inserted: 1, updated: 1, skipped: 0, ids: ['n1', 'old'] });
    expect(plan.merges).toEqual([{ id: 'old', values: { c1: '2', c2: 2 } }]);
  });

  it('plays repeats in their order', () => {
    const rows = [row('a', '1', { c2: 1 }), row('b', '1.0', { c3: 2 }), row('c', '1.00', { c2: 3 })];
    const plan = planUpsert(column, 'UPDATE', rows, new Map());
    expect(plan).toMatchObject({ inserted: 1, updated: 2, ids: ['a', 'a', 'a'], merges: [] });
    expect(plan.inserts).toEqual([{ id: 'a', values: { c1: '1.00', c2: 3, c3: 2 } }]);
  });

  it('merges repeats of an existing record once', () => {
    const plan = planUpsert(
      column,
      'UPDATE',
      [row('a', '1', { c2: 1 }), row('b', '1', { c3: 2 })],
      new Map([['1', 'old']]),
    );
    expect(plan.merges).toEqual([{ id: 'old', values: { c1: '1', c2: 1, c3: 2 } }]);
    expect(plan).toMatchObject({ inserted: 0, updated: 2 });
  });

  it('skips', () => {
    const plan = planUpsert(column, 'SKIP', [row('a', '1'), row('b', '1'), row('c', '2')], new Map([['2', 'old']]));
    expect(plan).toMatchObject({ inserted: 1, updated: 0, skipped: 2, ids: ['a', 'a', 'old'], merges: [] });
  });

  it('knows only one zero', () => {
    const plan = planUpsert(column, 'SKIP', [row('a', '-0'), row('b', '0'), row('c', '-0.00')], new Map());
    expect(plan).toMatchObject({ inserted: 1, skipped: 2, ids: ['a', 'a', 'a'] });
    expect(planUpsert(column, 'UPDATE', [row('a', '-0')], new Map([['0', 'old']]))).toMatchObject({ ids: ['old'] });
  });

  it('never takes two records without a key for one', () => {
    expect(planUpsert(column, 'SKIP', [row('a', null), row('b', null)], new Map())).toMatchObject({
      inserted: 2,
      skipped: 0,
    });
  });

  it('refuses a field that is not unique', () => {
    expect(() => conflictColumn(layout, { field: 'x', action: 'SKIP' })).toThrow(/not unique/);
  });
});
