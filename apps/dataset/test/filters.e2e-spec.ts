import { type FilterFieldType, type JsonObject, matchesFilter, parseFilter } from '@switchyard/kernel';
import { type Client, usePlatform } from '@switchyard/testing';
import * as fc from 'fast-check';

const platform = usePlatform();

/** Few values for each type, so that random filters meet random records often. */
const values: Record<string, { type: FilterFieldType; sample: unknown[] }> = {
  s: { type: 'string', sample: ['', 'a', 'ab', 'B', 'a%', '_', '\\', '\uffee', '\u{1f600}', 'é'] },
  i: { type: 'integer', sample: [0, 1, -1, 42, Number.MAX_SAFE_INTEGER] },
  n: { type: 'number', sample: [0, 0.1, 0.2, 0.30000000000000004, -1.5, 1e21, 5e-324] },
  d: { type: 'decimal', sample: ['0', '1.5', '1.50', '-2', '10', '9.99', '9007199254740993'] },
  b: { type: 'boolean', sample: [true, false] },
  y: { type: 'date', sample: ['2024-02-29', '2026-01-01', '0001-01-01'] },
  t: {
    type: 'datetime',
    sample: ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000001Z', '2025-12-31T23:59:59.999Z'],
  },
  u: { type: 'uuid', sample: ['0198c0de-0000-7000-8000-00000000000a', 'ffffffff-ffff-4fff-bfff-ffffffffffff'] },
  j: {
    type: 'json',
    sample: [1, 1.5, 'a', 'ab', true, {}, { a: 1 }, { a: 1, b: 2 }, [], [1, 'a'], [{ a: 1 }], [null]],
  },
  l: { type: 'string[]', sample: [[], ['a'], ['a', 'b'], ['b', 'a'], ['']] },
};
const names = Object.keys(values);
const types = new Map(names.map((name) => [name, values[name]!.type]));

const ORDERED = ['gt', 'gte', 'lt', 'lte'];
const operatorsOf = (type: FilterFieldType): string[] => [
  'eq',
  'ne',
  'in',
  'nin',
  'exists',
  ...(type === 'boolean' || type === 'string[]' ? [] : ORDERED),
  ...(['string', 'json'].includes(type) ? ['contains', 'startsWith'] : []),
  ...(type === 'string[]' ? ['contains'] : []),
];

const sampleOf = (name: string): fc.Arbitrary<unknown> => fc.constantFrom(...values[name]!.sample);
const orNull = (name: string): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 6, arbitrary: sampleOf(name) }, { weight: 1, arbitrary: fc.constant(null) });

const operandOf = (name: string, operator: string): fc.Arbitrary<unknown> => {
  const { type } = values[name]!;
  if (operator === 'exists') return fc.boolean();
  if (operator === 'in' || operator === 'nin') return fc.array(orNull(name), { maxLength: 3 });
  if (operator === 'startsWith') return fc.constantFrom('', 'a', 'ab', '%', '\\', '_');
  if (operator === 'contains')
    return type === 'json'
      ? fc.oneof(sampleOf(name), fc.constantFrom('a', null))
      : fc.constantFrom('', 'a', 'b', '%', '\\', '_');
  if (ORDERED.includes(operator)) return type === 'json' ? fc.constantFrom(0, 1.2, 'a', 'aa', '') : sampleOf(name);
  return orNull(name);
};

const testArbitrary: fc.Arbitrary<unknown> = fc
  .constantFrom(...names)
  .chain((name) =>
    fc
      .constantFrom(...operatorsOf(values[name]!.type))
      .chain((operator) => operandOf(name, operator).map((operand) => ({ [name]: { [operator]: operand } }))),
  );

const { filter: filterArbitrary } = fc.letrec<{ filter: unknown }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3 },
    { weight: 4, arbitrary: testArbitrary },
    { weight: 1, arbitrary: fc.array(tie('filter'), { maxLength: 3 }).map((parts) => ({ and: parts })) },
    { weight: 1, arbitrary: fc.array(tie('filter'), { maxLength: 3 }).map((parts) => ({ or: parts })) },
    { weight: 1, arbitrary: tie('filter').map((part) => ({ not: part })) },
  ),
}));

const recordArbitrary: fc.Arbitrary<JsonObject> = fc
  .tuple(
    ...names.map((name) =>
      fc.oneof(
        { weight: 4, arbitrary: sampleOf(name) },
        { weight: 1, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.constant(undefined) },
      ),
    ),
  )
  .map((picked) =>
    Object.fromEntries(names.map((name, i) => [name, picked[i]]).filter(([, value]) => value !== undefined)),
  );

describe('the filter language over datasets', () => {
  let owner: Client;

  beforeAll(async () => {
    owner = (await platform.newSpace()).owner;
  });

  const newDataset = async (indexed: boolean): Promise<string> => {
    const fields = names.map((name) => ({ name, type: values[name]!.type, ...(indexed ? { indexed } : {}) }));
    const created = await owner.post('/datasets', { name: 'Filters', schema: { fields } });
    expect(created.status).toBe(201);
    return `/datasets/${created.body.data.id}/data`;
  };

  it.each([false, true])('finds in the database exactly what the evaluator finds (indexed: %s)', async (indexed) => {
    const data = await newDataset(indexed);
    const records = fc.sample(recordArbitrary, { numRuns: 150, seed: indexed ? 7 : 8 });
    const inserted = await owner.post(`${data}/insert`, { records });
    expect(inserted.status).toBe(200);
    const { ids } = inserted.body.data as { ids: string[] };
    for (const filter of fc.sample(filterArbitrary, { numRuns: 120, seed: indexed ? 17 : 18 })) {
      const checked = parseFilter(filter, types);
      const expected = ids.filter((_, i) => matchesFilter(checked, records[i]!)).sort();
      const found = await owner.post(`${data}/query`, { filter, fields: ['id'], limit: 1000 });
      expect({
        filter,
        status: found.status,
        ids: found.body.data?.map((record: JsonObject) => record.id).sort(),
      }).toEqual({
        filter,
        status: 200,
        ids: expected,
      });
      const counted = await owner.post(`${data}/count`, { filter });
      expect({ filter, count: counted.body.data.count }).toEqual({ filter, count: expected.length });
    }
  });

  it.each([
    ['j', 'a', (n: number) => (n % 2 === 0 ? { n } : `${n}`)],
    ['l', ['a', 'b"\\'], (n: number) => [`"\\${n}`]],
    ['s', 'a', (n: number) => `${n}`],
  ])('finds by as many values as a filter can name, and refuses a larger one (%s)', async (name, expected, other) => {
    const data = await newDataset(true);
    const inserted = await owner.post(`${data}/insert`, { records: [{ [name]: expected }, { [name]: other(-1) }] });
    const lists = Array.from({ length: 3 }, (_, list) =>
      Array.from({ length: 350 }, (_none, n) => (list === 2 && n === 7 ? expected : other(list * 350 + n))),
    );
    const any = { or: lists.map((values) => ({ [name]: values })) };
    const found = await owner.post(`${data}/query`, { filter: any });
    expect([found.status, found.body.data]).toMatchObject([200, [{ id: inserted.body.data.ids[0] }]]);
    const none = { and: lists.map((values) => ({ [name]: { nin: values } })) };
    const counted = await owner.post(`${data}/count`, { filter: none });
    expect(counted.body.data).toEqual({ count: 1 });
    const large = { or: [any, { [name]: ['x'.repeat(16 * 1024)] }] };
    for (const path of ['query', 'count', 'delete']) {
      const refused = await owner.post(`${data}/${path}`, { filter: large });
      expect([refused.status, refused.body.code, refused.body.details]).toEqual([
        400,
        'VALIDATION_ERROR',
        [{ path: 'filter', message: 'must be at most 16 KiB (16384 bytes) as JSON' }],
      ]);
    }
  });

  it.each<[string, unknown, string]>([
    ['an unknown field', { nope: 1 }, 'filter.nope'],
    ['the wrong case', { S: 'a' }, 'filter.S'],
    ['a quoted name', { 's"; drop table datasets; --': 1 }, 'filter.s"; drop table datasets; --'],
    ['a path into json', { "j->>'a'": 1 }, "filter.j->>'a'"],
    ['a long name', { ['s'.repeat(64)]: 1 }, `filter.${'s'.repeat(64)}`],
    ['a physical column', { c1: 'a' }, 'filter.c1'],
    ['an operator of another database', { s: { $ne: 'a' } }, 'filter.s.$ne'],
    ['a regular expression', { s: { regex: '.*' } }, 'filter.s.regex'],
    ['an object for a scalar', { i: { eq: { a: 1 } } }, 'filter.i.eq'],
    ['the wrong type', { i: '1' }, 'filter.i'],
    ['no operator', { s: {} }, 'filter.s'],
  ])('refuses %s everywhere', async (_name, filter, path) => {
    const data = await newDataset(false);
    await owner.post(`${data}/insert`, { records: [{ s: 'kept' }] });
    for (const [verb, body] of [
      ['query', { filter }],
      ['count', { filter }],
      ['update', { filter, set: { s: 'x' } }],
      ['delete', { filter }],
    ] as const) {
      const reply = await owner.post(`${data}/${verb}`, body);
      expect([verb, reply.status, reply.body.code, reply.body.details[0].path]).toEqual([
        verb,
        400,
        'VALIDATION_ERROR',
        path,
      ]);
    }
    expect((await owner.post(`${data}/query`, {})).body.data[0].s).toBe('kept');
  });

  it.each(['filter', 'fields', 'sort', 'set', 'record'])('refuses prototype names in %s', async (path) => {
    const data = await newDataset(false);
    const text: Record<string, [string, string]> = {
      filter: ['query', '{"filter": {"__proto__": 1}}'],
      fields: ['query', '{"fields": ["constructor"]}'],
      sort: ['query', '{"sort": [{"field": "prototype"}]}'],
      set: ['update', '{"all": true, "set": {"__proto__": 1}}'],
      record: ['insert', '{"records": [{"__proto__": {"s": "a"}}]}'],
    };
    const [verb, body] = text[path]!;
    const reply = await owner.post(`${data}/${verb}`, Buffer.from(body));
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});
