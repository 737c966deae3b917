import { matchesFilter, parseFilter } from '@switchyard/kernel';
import fc from 'fast-check';
import { buildIndex } from './subscription-index';

const subscription = (id: string, filter: unknown) => ({ id, endpointId: null, taskId: `task-${id}`, filter });
const ids = (filters: unknown[], payload: Record<string, unknown>): string[] =>
  buildIndex(filters.map((filter, index) => subscription(String(index), filter)))
    .match(payload)
    .map((match) => match.subscriptionId)
    .sort();

describe('the index of subscriptions', () => {
  it('matches every occurrence without a filter', () => {
    expect(ids([null, {}], { a: 1 })).toEqual(['0', '1']);
  });

  it('matches equal fields and members of a list', () => {
    const filters = [{ kind: 'a' }, { kind: ['a', 'b'] }, { kind: 'b' }, { kind: 'a', size: 2 }, { other: null }];
    expect(ids(filters, { kind: 'a', size: 2 })).toEqual(['0', '1', '3']);
    expect(ids(filters, { kind: 'b' })).toEqual(['1', '2']);
    expect(ids(filters, { other: null })).toEqual(['4']);
    expect(ids(filters, {})).toEqual([]);
  });

  it('does not confuse a number with its text, nor a missing field with null', () => {
    expect(ids([{ a: 1 }, { a: '1' }, { a: null }], { a: 1 })).toEqual(['0']);
    expect(ids([{ a: null }], { b: 1 })).toEqual([]);
    expect(ids([{ a: 0 }], { a: -0 })).toEqual(['0']);
  });

  it('names a subscription once, also when a list repeats a value', () => {
    expect(ids([{ a: [1, 1, 2] }], { a: 1 })).toEqual(['0']);
  });

  it('finds exactly what the filters themselves accept', () => {
    const scalar = fc.constantFrom<unknown>(1, 2, '1', 'x', true, null);
    const test = fc.oneof(
      scalar,
      fc.array(scalar, { maxLength: 3 }),
      fc.record({ ne: scalar }),
      fc.record({ eq: scalar }),
      fc.constant({ gt: 1 }),
      fc.constant({ exists: false }),
    );
    const leaf = fc.dictionary(fc.constantFrom('a', 'b', 'c'), test, { maxKeys: 3 });
    const filter = fc.oneof(leaf, fc.record({ or: fc.array(leaf, { maxLength: 2 }) }), fc.record({ not: leaf }));
    const payload = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })));
    fc.assert(
      fc.property(fc.array(filter, { maxLength: 6 }), payload, (filters, value) => {
        const expected = filters.flatMap((item, index) =>
          matchesFilter(parseFilter(item), value) ? [String(index)] : [],
        );
        expect(ids(filters, value)).toEqual(expected.sort());
      }),
      { numRuns: 500 },
    );
  });
});
