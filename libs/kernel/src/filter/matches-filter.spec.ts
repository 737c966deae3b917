import { type FilterFieldType, matchesFilter, parseFilter } from '.';

const matches = (filter: unknown, record: Record<string, unknown>): boolean =>
  matchesFilter(parseFilter(filter), record);

const typed = (type: FilterFieldType, filter: unknown, value: unknown): boolean =>
  matchesFilter(parseFilter(filter, new Map([['f', type]])), value === undefined ? {} : { f: value });

describe('a filter without a schema', () => {
  const record = { status: 'open', total: 12, paid: null, tags: ['a', 'b'], place: { city: 'Oslo', zip: 1 } };

  it.each<[string, unknown, boolean]>([
    ['no conditions match all', {}, true],
    ['a value means equals', { status: 'open' }, true],
    ['equals is exact in case', { status: 'Open' }, false],
    ['equals is exact in type', { total: '12' }, false],
    ['all fields must hold', { status: 'open', total: 13 }, false],
    ['a list means one of', { status: ['closed', 'open'] }, true],
    ['a list without the value', { status: ['closed'] }, false],
    ['an empty list matches nothing', { status: [] }, false],
    ['eq', { total: { eq: 12 } }, true],
    ['eq compares objects deeply, whatever the order of keys', { place: { eq: { zip: 1, city: 'Oslo' } } }, true],
    ['eq compares lists in order', { tags: { eq: ['b', 'a'] } }, false],
    ['ne', { total: { ne: 12 } }, false],
    ['ne holds for a missing field', { other: { ne: 12 } }, true],
    ['gt', { total: { gt: 12 } }, false],
    ['gte', { total: { gte: 12 } }, true],
    ['lt and gt together', { total: { gt: 11, lt: 13 } }, true],
    ['no order between a number and a string', { total: { gt: '1' } }, false],
    ['no order with null', { paid: { lte: 0 } }, false],
    ['in', { total: { in: [1, 12] } }, true],
    ['nin', { total: { nin: [1, 12] } }, false],
    ['nin of nothing', { total: { nin: [] } }, true],
    ['contains in a string', { status: { contains: 'pe' } }, true],
    ['contains in a list', { tags: { contains: 'b' } }, true],
    ['contains takes wildcards as they are', { status: { contains: '%' } }, false],
    ['startsWith', { status: { startsWith: 'op' } }, true],
    ['null equals null', { paid: null }, true],
    ['a missing field is not null', { other: null }, false],
    ['exists holds for null', { paid: { exists: true } }, true],
    ['exists false holds for a missing field', { other: { exists: false } }, true],
    ['a field of the prototype is missing', { toString: { exists: true } }, false],
    ['objects are equal by what they own', { place: { eq: { constructor: 1, city: 'Oslo' } } }, false],
    ['and of nothing is all', { and: [] }, true],
    ['or of nothing is none', { or: [] }, false],
    ['or', { or: [{ status: 'closed' }, { total: 12 }] }, true],
    ['not is the complement', { not: { other: { gt: 1 } } }, true],
    ['combinators stand beside fields', { status: 'open', not: { total: 12 } }, false],
  ])('%s', (_name, filter, expected) => {
    expect(matches(filter, record)).toBe(expected);
  });
});

describe('a filter with a schema', () => {
  it.each<[FilterFieldType, unknown, unknown, boolean]>([
    ['decimal', { f: '1.50' }, '1.5', true],
    ['decimal', { f: { gt: '9007199254740993' } }, '9007199254740993.1', true],
    ['decimal', { f: { lt: '-1.5' } }, '-1.49', false],
    ['datetime', { f: '2026-01-01T02:00:00+02:00' }, '2026-01-01T00:00:00.000Z', true],
    ['datetime', { f: { gt: '2026-01-01T00:00:00.000Z' } }, '2026-01-01T00:00:00.000001Z', true],
    ['date', { f: { gte: '2026-01-31' } }, '2026-02-01', true],
    ['uuid', { f: '0198C0DE-0000-7000-8000-00000000000A' }, '0198c0de-0000-7000-8000-00000000000a', true],
    ['string', { f: { gt: '\uffee' } }, '\u{1f600}', true],
    ['string[]', { f: { contains: 'x' } }, ['x'], true],
    ['string[]', { f: [['x'], ['y']] }, ['y'], true],
    ['json', { f: { contains: { a: 1 } } }, [{ a: 1, b: 2 }], false],
    ['boolean', { f: false }, undefined, false],
    ['integer', { f: null }, null, true],
  ])('%s %j of %j', (type, filter, value, expected) => {
    expect(typed(type, filter, value)).toBe(expected);
  });
});

describe('a refused filter', () => {
  const fields = new Map<string, FilterFieldType>([
    ['n', 'integer'],
    ['s', 'string'],
    ['b', 'boolean'],
    ['l', 'string[]'],
  ]);
  const nested = (levels: number): unknown => (levels === 0 ? {} : { not: nested(levels - 1) });

  it.each<[string, unknown, string]>([
    ['not an object', [], 'filter'],
    ['unknown field', { x: 1 }, 'filter.x'],
    ['wrong case', { N: 1 }, 'filter.N'],
    ['a hostile field', { 'n"; drop table x; --': 1 }, 'filter.n"; drop table x; --'],
    ['unknown operator', { n: { $ne: 1 } }, 'filter.n.$ne'],
    ['no operator', { n: {} }, 'filter.n'],
    ['wrong type', { n: '1' }, 'filter.n'],
    ['a fraction for an integer', { n: 1.5 }, 'filter.n'],
    ['wrong type in a list', { n: [1, '2'] }, 'filter.n[1]'],
    ['in without a list', { n: { in: 1 } }, 'filter.n.in'],
    ['order of booleans', { b: { gt: true } }, 'filter.b.gt'],
    ['order with null', { n: { gt: null } }, 'filter.n.gt'],
    ['startsWith on a number', { n: { startsWith: '1' } }, 'filter.n.startsWith'],
    ['exists without a boolean', { s: { exists: 1 } }, 'filter.s.exists'],
    ['or without a list', { or: {} }, 'filter.or'],
    ['a bad part', { or: [{ n: 1 }, { n: 'x' }] }, 'filter.or[1].n'],
    ['a prototype name', JSON.parse('{"__proto__": 1}'), ''],
    ['constructor', { constructor: 1 }, 'filter.constructor'],
    ['NUL in a value', { s: 'a\u0000' }, 's'],
    ['too deep', nested(40), `filter${'.not'.repeat(33)}`],
    ['too many conditions', { and: Array.from({ length: 501 }, () => ({ n: 1 })) }, 'filter.and[500].n'],
    ['too many members', { n: Array.from({ length: 1001 }, () => 1) }, 'filter.n'],
  ])('%s', (_name, filter, path) => {
    expect(() => parseFilter(filter, fields)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', details: [expect.objectContaining({ path })] }),
    );
  });

  it('names __proto__ as refused', () => {
    expect(() => parseFilter(JSON.parse('{"__proto__": 1}'))).toThrow(/__proto__/);
  });
});
