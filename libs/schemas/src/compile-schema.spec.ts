import type { JsonObject } from '@switchyard/kernel';
import { type SchemaCheck, compileSchemaNow } from './compile-schema';

function checkOf(schema: JsonObject): SchemaCheck {
  const compiled = compileSchemaNow(schema, 'payload');
  if ('problems' in compiled) throw new Error(JSON.stringify(compiled.problems));
  return compiled.check;
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

const childOf = ({ properties }: JsonObject): JsonObject => (properties as { child: JsonObject }).child;

const problemsOf = (schema: JsonObject): string => {
  const compiled = compileSchemaNow(schema, 'payload');
  return 'problems' in compiled ? JSON.stringify(compiled.problems) : '';
};

/** CPU time of this process: wall time depends on the load of the machine. */
const cpuSecondsSince = (start: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
};

describe('the check of a payload', () => {
  it('names every field that does not fit', () => {
    const check = checkOf({
      type: 'object',
      properties: { total: { type: 'number', minimum: 0 }, lines: { type: 'array', items: { type: 'string' } } },
      required: ['total', 'id'],
      additionalProperties: false,
    });
    expect(check({ total: 1, id: 'x' }).map((p) => p.path)).toEqual(['payload.id']);
    expect(
      check({ total: -1, lines: ['a', 2] })
        .map((p) => p.path)
        .sort(),
    ).toEqual(['payload.id', 'payload.lines[1]', 'payload.total']);
  });

  it('checks own properties only', () => {
    const named = { properties: { constructor: { type: 'string' } } };
    expect(checkOf(named)({})).toEqual([]);
    const check = checkOf({ ...named, required: ['constructor'], additionalProperties: false });
    expect(check({}).map((p) => p.path)).toEqual(['payload.constructor']);
    expect(check({ constructor: 'Opel' })).toEqual([]);
  });

  it('supports 2020-12: prefixItems, unevaluatedProperties, references, formats', () => {
    const check = checkOf({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://example.com/a.json',
      allOf: [{ properties: { at: { $ref: '#/$defs/time' } } }],
      properties: { pair: { prefixItems: [{ type: 'number' }, { type: 'string' }], items: false } },
      unevaluatedProperties: false,
      $defs: { time: { type: 'string', format: 'date-time' } },
    });
    expect(check({ at: '2026-01-01T00:00:00Z', pair: [1, 'a'] })).toEqual([]);
    expect(check({ at: 'yesterday' })).toHaveLength(1);
    expect(check({ pair: [1, 'a', 2] })).toHaveLength(1);
    expect(check({ more: 1 })).toHaveLength(1);
  });

  it('ignores unknown keywords and formats, as the standard says', () => {
    expect(checkOf({ 'x-owner': 'shop', properties: { a: { format: 'house-number' } } })({ a: 'x' })).toEqual([]);
  });

  it('does not change the payload', () => {
    const payload = { a: '1' };
    checkOf({ properties: { a: { type: 'string' }, b: { default: 2 } } })(payload);
    expect(payload).toEqual({ a: '1' });
  });

  it.each<[JsonObject, unknown, string, string]>([
    [{ type: ['integer', 'null'] }, 'x', 'payload', 'must be an integer or null'],
    [{ exclusiveMinimum: 0 }, 0, 'payload', 'must be more than 0'],
    [{ exclusiveMaximum: 1 }, 1, 'payload', 'must be less than 1'],
    [{ multipleOf: 5 }, 7, 'payload', 'must be a multiple of 5'],
    [{ const: 'x' }, 'y', 'payload', 'must be x'],
    [{ uniqueItems: true }, [1, 1], 'payload', 'must not hold the same item twice'],
    [{ minProperties: 2 }, {}, 'payload', 'must have at least 2 fields'],
    [{ maxProperties: 1 }, { a: 1, b: 2 }, 'payload', 'must have at most 1 field'],
    [{ prefixItems: [{}], items: false }, [1, 2], 'payload', 'must have at most 1 item'],
    [{ unevaluatedItems: false }, [1], 'payload', 'must have at most 0 items'],
    [{ unevaluatedProperties: false }, { a: 1 }, 'payload.a', 'is not a known field'],
    [{ properties: { a: false } }, { a: 1 }, 'payload.a', 'is not allowed'],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'payload.b', 'is required beside a'],
    [{ not: {} }, 1, 'payload', 'must not fit the schema in not'],
    [{ oneOf: [{}, {}] }, 1, 'payload', 'must fit exactly one of the schemas in oneOf'],
  ])('explains a violation of %j by %j', (schema, value, path, message) => {
    expect(checkOf(schema)(value)).toEqual([{ path, message }]);
  });

  it('compares values whose fields are called as methods are, and shows them as JSON', () => {
    const check = checkOf({
      properties: { a: { enum: [{ toString: 1, valueOf: 2 }, null, 1] }, b: { const: { hasOwnProperty: [] } } },
    });
    expect(check({ a: 'a' })).toEqual([
      { path: 'payload.a', message: 'must be one of {"toString":1,"valueOf":2}, null, 1' },
    ]);
    expect(check({ a: { valueOf: 2, toString: 1 }, b: { hasOwnProperty: [] } })).toEqual([]);
    expect(check({ a: { toString: 1, valueOf: 3 }, b: { toString: 1 } })).toHaveLength(2);
    expect(checkOf({ enum: ['x', 'y'] })(1)[0]?.message).toBe('must be one of x, y');
  });

  it('does not treat inherited properties as fields', () => {
    const check = checkOf({ properties: { toString: { type: 'string' } }, required: ['valueOf'] });
    expect(check({}).map(({ path }) => path)).toEqual(['payload.valueOf']);
    expect(check({ valueOf: 1 })).toEqual([]);
  });

  it.each<[number, number[], number[]]>([
    [0.01, [19.99, 4.35, 0.07, 1234567.89, 100, 0, -8.12, 0.1 + 0.2], [0.005, 19.999, 1e-7]],
    [0.1, [0.3, 0.7, 1e21], [0.35]],
    [1e-7, [1e-7, 0.0000003, 5], [1.5e-7]],
    [3, [9, -3, 9007199254740990], [9007199254740991, 3.000000001]],
    [1, [1e300], [1.000000001, 1e-300]],
  ])('takes multiples of %d as they are written', (multipleOf, good, bad) => {
    const check = checkOf({ multipleOf });
    expect(good.filter((value) => check(value).length > 0)).toEqual([]);
    expect(bad.filter((value) => check(value).length === 0)).toEqual([]);
  });

  it.each<[string, JsonObject]>([
    ['a field', { properties: { child: { $ref: '#' } } }],
    ['a field, beside other keywords', { properties: { child: { description: 'a', $ref: '#' } } }],
    ['items', { properties: { child: { items: { $ref: '#' } } } }],
    ['allOf', { properties: { child: { allOf: [{ $ref: '#' }] } } }],
    ['$defs', { properties: { child: { $ref: '#/$defs/next' } }, $defs: { next: { allOf: [{ $ref: '#' }] } } }],
    ['its own anchor', { $anchor: 'node', properties: { child: { $ref: '#node' } } }],
    ['its own dynamic anchor', { $dynamicAnchor: 'node', properties: { child: { $dynamicRef: '#node' } } }],
  ])('follows a schema into itself: by %s', (_where, recursive) => {
    for (const head of [{}, { $id: 'https://example.com/tree.json' }, { $id: 'tree', $schema: DIALECT }]) {
      const { properties, ...rest } = recursive;
      const check = checkOf({ ...head, ...rest, properties: { n: { type: 'number' }, ...(properties as object) } });
      const wrap = (value: unknown): unknown => ('items' in childOf(recursive) ? [value] : value);
      expect(check({ child: wrap({ child: wrap({ n: 1 }) }) })).toEqual([]);
      expect(check({ child: wrap({ child: wrap({ n: 'x' }) }) })).toHaveLength(1);
    }
  });

  it('ends early where a schema goes round without end, or twice at every step', () => {
    const started = process.cpuUsage();
    expect(checkOf({ allOf: [{ $ref: '#' }, { $ref: '#' }] })({})[0]?.message).toContain('too expensive to check');
    const twice = checkOf({ properties: { c: { allOf: [{ $ref: '#' }, { $ref: '#' }] } } });
    let deep: JsonObject = {};
    for (let i = 0; i < 60; i += 1) deep = { c: deep };
    expect(twice({ c: { c: {} } })).toEqual([]);
    expect(twice(deep)[0]?.message).toContain('too expensive to check');
    expect(cpuSecondsSince(started)).toBeLessThan(3);
  });

  it('takes linear time for a pattern that makes other engines explode', () => {
    const check = checkOf({ properties: { a: { pattern: '^(a|a)*$' } }, patternProperties: { '^(b+)+$': false } });
    const started = process.cpuUsage();
    expect(check({ a: `${'a'.repeat(100_000)}!`, [`${'b'.repeat(200)}!`]: 1 })).toHaveLength(1);
    expect(cpuSecondsSince(started)).toBeLessThan(3);
  });

  it('finds repeated items in linear time', () => {
    const check = checkOf({ properties: { a: { uniqueItems: true } } });
    const items = Array.from({ length: 40_000 }, (_, i) => [i]);
    const started = process.cpuUsage();
    expect(check({ a: items })).toEqual([]);
    expect(check({ a: [...items, [1]] })).toHaveLength(1);
    expect(cpuSecondsSince(started)).toBeLessThan(3);
  });

  it('ends early where references multiply', () => {
    const defs: JsonObject = { d0: { type: 'object' } };
    for (let i = 1; i <= 40; i += 1)
      defs[`d${i}`] = { allOf: [{ $ref: `#/$defs/d${i - 1}` }, { $ref: `#/$defs/d${i - 1}` }] };
    const check = checkOf({ $ref: '#/$defs/d40', $defs: defs });
    const started = process.cpuUsage();
    expect(check({})[0]?.message).toContain('too expensive to check');
    expect(cpuSecondsSince(started)).toBeLessThan(3);
    expect(checkOf({ type: 'object' })({})).toEqual([]);
  });

  it('ends early where a long text is looked at again and again', () => {
    for (const leaf of [{ maxLength: 249_999 }, { pattern: '^[a-z]+$' }]) {
      const defs: Record<string, JsonObject> = { d0: { type: 'string', ...leaf } };
      for (let i = 1; i <= 13; i += 1)
        defs[`d${i}`] = { anyOf: [{ $ref: `#/$defs/d${i - 1}` }, { $ref: `#/$defs/d${i - 1}` }] };
      const check = checkOf({ $ref: '#/$defs/d13', $defs: defs });
      expect(check(`${'a'.repeat(249_999)}!`)[0]?.message).toContain('too expensive to check');
      expect(check('abc')).toEqual([]);
    }
  });

  it('accepts the longest text', () => {
    const check = checkOf({
      properties: { image: { $ref: '#/$defs/maybe' } },
      $defs: {
        maybe: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/address' }] },
        address: { allOf: [{ type: 'string' }, { minLength: 1, maxLength: 8 * 1024 * 1024, pattern: '^data:' }] },
      },
    });
    expect(check({ image: `data:${'x'.repeat(8 * 1024 * 1024 - 5)}` })).toEqual([]);
  });
});

describe('a schema', () => {
  it.each([
    [{ type: 'nonsense' }],
    [{ properties: { a: { minimum: 'much' } } }],
    [{ $ref: '#/$defs/missing' }],
    [{ properties: { a: { pattern: '(' } } }],
    [{ properties: { a: { pattern: '(?=a)b' } } }],
    [{ required: 'id' }],
  ])('is refused when nothing can be checked with it: %j', (schema) => {
    expect(problemsOf(schema)).not.toBe('');
  });
});
