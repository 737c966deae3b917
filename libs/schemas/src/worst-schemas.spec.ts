import type { JsonObject } from '@switchyard/kernel';
import { type UsableSchema, compileSchemaNow } from './compile-schema';
import { CHECK_BUDGET, unitsSpent } from './check-cost-limit';

const list = <T>(length: number, item: (at: number) => T): T[] => Array.from({ length }, (_, at) => item(at));
const fields = <T>(length: number, name: (at: number) => string, value: (at: number) => T): Record<string, T> =>
  Object.fromEntries(list(length, (at) => [name(at), value(at)]));

const TEXT = 'a'.repeat(250_000);
/** The largest payload of an event, as many small values. */
const ITEMS = list(60_000, (at) => at % 10);
const OBJECTS = list(60_000, () => ({}));
const WIDE = fields(
  20_000,
  (at) => `f${at}`,
  () => 1,
);

/** The most expensive accepted schema of each kind, and the value that costs it most. */
const WORST: [string, JsonObject, unknown][] = [
  ['one pattern over a long text', { pattern: '(?:a?){499}a{499}b|[^a]' }, TEXT],
  ['a pattern of counted choices', { pattern: '^(?:(?:aa?){1,20}){1,20}b' }, TEXT],
  ['a Unicode class that is repeated', { pattern: '(?:[\\p{L}\\p{N}]+ ?){99}!' }, 'é'.repeat(250_000)],
  ['one pattern at many items', { items: { pattern: '(?:a?){300}b' } }, list(5000, () => 'a'.repeat(45))],
  ['many patterns at one text', { allOf: list(180, (at) => ({ pattern: `(?:a|b)*c${at}` })) }, TEXT],
  [
    'patterns of the names of fields',
    {
      patternProperties: fields(
        150,
        (at) => `(?:f|g)+${at}x`,
        () => ({}),
      ),
    },
    WIDE,
  ],
  ['formats', { items: { format: 'email' } }, list(120, () => `${'a'.repeat(1000)}@${'b-'.repeat(500)}`)],
  ['an address', { items: { format: 'uri' } }, list(120, () => `https://${'a.'.repeat(1000)}`)],
  ['choices', { items: { anyOf: list(900, (at) => ({ const: `x${at}` })) } }, ITEMS],
  [
    'choices within choices',
    { items: { oneOf: list(20, () => ({ oneOf: list(20, () => ({ minimum: 100 })) })) } },
    ITEMS,
  ],
  ['a long list of values', { items: { enum: list(9000, (at) => at + 100) } }, ITEMS],
  ['a long list of objects', { items: { enum: list(4000, (at) => ({ at })) } }, OBJECTS],
  ['objects that differ in a field of many', { enum: list(9000, () => ({})) }, WIDE],
  ['required fields', { items: { required: list(6000, (at) => `f${at}`) } }, OBJECTS],
  [
    'fields that depend on others',
    {
      items: {
        dependentRequired: fields(
          900,
          () => 'f',
          () => ['g'],
        ),
      },
    },
    OBJECTS,
  ],
  [
    'many fields in many objects',
    {
      items: {
        properties: fields(
          900,
          (at) => `f${at}`,
          () => ({ type: 'number' }),
        ),
      },
    },
    OBJECTS,
  ],
  [
    'items that must differ, level by level',
    { allOf: list(900, () => ({ uniqueItems: true })) },
    list(60_000, (at) => [at]),
  ],
  ['multiples', { items: { allOf: list(900, () => ({ multipleOf: 1e-300 })) } }, list(20_000, () => 1e300)],
  ['lengths', { allOf: list(900, () => ({ maxLength: 200_000 })) }, '😀'.repeat(125_000)],
  [
    'references that multiply',
    {
      $defs: {
        a: { anyOf: list(300, () => ({ $ref: '#/$defs/b' })) },
        b: { anyOf: list(300, () => ({ type: 'null' })) },
      },
      items: { $ref: '#/$defs/a' },
    },
    ITEMS,
  ],
  [
    'what is not evaluated',
    {
      allOf: list(300, (at) => ({ properties: { [`f${at}`]: {} }, unevaluatedProperties: {} })),
      unevaluatedProperties: false,
    },
    WIDE,
  ],
  [
    'an object with many fields among the values',
    {
      items: {
        enum: [
          fields(
            6500,
            (at) => `${at}`,
            () => 0,
          ),
        ],
      },
    },
    OBJECTS,
  ],
  [
    'choices that end at the first of many fields',
    { anyOf: list(900, () => ({ additionalProperties: false })) },
    fields(
      100_000,
      (at) => `f${at}`,
      () => 1,
    ),
  ],
  [
    'choices that no name of many fits',
    { anyOf: list(900, () => ({ propertyNames: false })) },
    fields(
      100_000,
      (at) => `f${at}`,
      () => 1,
    ),
  ],
  [
    'choices after which nothing may be left',
    { anyOf: list(900, () => ({ unevaluatedProperties: false })) },
    fields(
      100_000,
      (at) => `f${at}`,
      () => 1,
    ),
  ],
  [
    'choices by references that end at the first field',
    {
      $defs: {
        a: { anyOf: list(30, () => ({ $ref: '#/$defs/b' })) },
        b: { anyOf: list(30, () => ({ additionalProperties: false })) },
      },
      anyOf: list(30, () => ({ $ref: '#/$defs/a' })),
    },
    fields(
      100_000,
      (at) => `f${at}`,
      () => 1,
    ),
  ],
  ['many schemas that fit everything', { items: { allOf: list(9000, () => true) } }, ITEMS],
  ['many choices that fit nothing', { items: { anyOf: list(9000, () => false) } }, ITEMS],
  [
    'many references to first items that fit everything',
    {
      $defs: { a: { prefixItems: list(9000, () => true) } },
      allOf: list(900, () => ({ $ref: '#/$defs/a' })),
    },
    ITEMS,
  ],
  ['items that contain something', { allOf: list(400, () => ({ contains: { const: 77 } })) }, ITEMS],
];

describe('the dearest schema that is accepted', () => {
  it.each(WORST)('costs no more than the budget of a check: %s', (_name, schema, value) => {
    const compiled = compileSchemaNow(schema, 'payload') as UsableSchema;
    expect(compiled).toMatchObject({ refusals: [] });
    compiled.check(0);
    const started = process.cpuUsage();
    const problems = compiled.check(value);
    const { user, system } = process.cpuUsage(started);
    expect(unitsSpent()).toBeLessThan(2 * CHECK_BUDGET);
    // Well above the usual 50 ms on a busy machine; without the budget it took minutes.
    expect((user + system) / 1000).toBeLessThan(1000);
    expect(problems.length).toBeLessThanOrEqual(20);
    expect(JSON.stringify(problems).length).toBeLessThan(64 * 1024);
  });

  it('is reported as too expensive to check, not as invalid', () => {
    const compiled = compileSchemaNow({ pattern: '(?:a?){499}a{499}b|[^a]' }, 'payload') as UsableSchema;
    expect(compiled.check(TEXT)).toEqual([
      { path: 'payload', message: 'is too expensive to check against its schema' },
    ]);
    expect(compiled.check('a'.repeat(100))).toEqual([
      { path: 'payload', message: expect.stringContaining('pattern') as string },
    ]);
  });

  it('is weighed with the memory it retains', () => {
    const compiled = compileSchemaNow(
      {
        properties: fields(
          990,
          (at) => `f${at}`,
          () => ({ pattern: '^a' }),
        ),
      },
      'payload',
    );
    expect((compiled as UsableSchema).weight).toBeGreaterThan(600_000);
  });
});

describe('a schema over the limits', () => {
  const problemsOf = (schema: JsonObject) => {
    const compiled = compileSchemaNow(schema, 'payload');
    return 'problems' in compiled ? compiled.problems : compiled.refusals;
  };

  it('is refused before its patterns are built', () => {
    expect(problemsOf({ pattern: '(?:(?:a{1000}){1000}){1000}' })[0]?.message).toContain('2000 instructions');
    expect(
      problemsOf({
        properties: fields(
          60,
          (at) => `f${at}`,
          (at) => ({ pattern: `${at}(?:a{50}){2}` }),
        ),
      })[0]?.message,
    ).toContain('2000 instructions');
    expect(problemsOf({ patternProperties: { '(?:a{999}){9}': {} } })[0]?.message).toContain('2000 instructions');
    expect(problemsOf({ pattern: 'a'.repeat(513) })).toEqual([
      { path: '/pattern', message: 'must have at most 512 characters' },
    ]);
  });

  it('goes on, where it was stored, with patterns of up to four times as many characters, and not beyond', () => {
    const isUsable = (characters: number): boolean =>
      !('problems' in compileSchemaNow({ pattern: 'a'.repeat(characters) }, 'payload'));
    expect([isUsable(4 * 512), isUsable(4 * 512 + 1)]).toEqual([true, false]);
  });

  it('is not refused for a thousand literal characters, in two patterns or in a thousand', () => {
    expect(problemsOf({ allOf: [{ pattern: 'a'.repeat(500) }, { pattern: 'b'.repeat(500) }] })).toEqual([]);
    const names = list(998, (at) => String.fromCodePoint(0x4e00 + at));
    expect(problemsOf({ patternProperties: Object.fromEntries(names.map((name) => [name, {}])) })).toEqual([]);
  });

  it('counts patterns that are only reachable by references', () => {
    const schema = { $ref: '#/x-parts/a', 'x-parts': { a: { pattern: '(?:a{999}){9}' } } };
    expect(problemsOf(schema)[0]?.message).toContain('2000 instructions');
    expect(problemsOf({ dependencies: { a: { pattern: '(?:a{999}){9}' } } })[0]?.message).toContain(
      '2000 instructions',
    );
  });

  it.each(['url', 'iri', 'regex', 'uri-template', 'json-pointer', 'house-number'])(
    'is refused for the format %s, which is not offered',
    (format) => {
      expect(problemsOf({ properties: { a: { format } } })).toEqual([
        { path: '/properties/a/format', message: expect.stringContaining('must be one of date, time') as string },
      ]);
    },
  );
});
