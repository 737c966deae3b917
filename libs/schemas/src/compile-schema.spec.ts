import type { JsonObject } from '@switchyard/kernel';
import { type SchemaCheck, compileSchema } from './compile-schema';

function checkOf(schema: JsonObject): SchemaCheck {
  const compiled = compileSchema(schema, 'payload');
  if ('problems' in compiled) throw new Error(JSON.stringify(compiled.problems));
  return compiled.check;
}

const problemsOf = (schema: JsonObject): string => {
  const compiled = compileSchema(schema, 'payload');
  return 'problems' in compiled ? JSON.stringify(compiled.problems) : '';
};

/** Of this process: a busy machine takes longer by the clock, an exploding engine by this. */
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

  it('sees only what a payload has of its own', () => {
    const named = { properties: { constructor: { type: 'string' } } };
    expect(checkOf(named)({})).toEqual([]);
    const check = checkOf({ ...named, required: ['constructor'], additionalProperties: false });
    expect(check({}).map((p) => p.path)).toEqual(['payload.constructor']);
    expect(check({ constructor: 'Opel' })).toEqual([]);
  });

  it('speaks 2020-12: prefixItems, unevaluatedProperties, references, formats', () => {
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

  it('leaves unknown keywords and formats alone, as the standard says', () => {
    expect(checkOf({ 'x-owner': 'shop', properties: { a: { format: 'house-number' } } })({ a: 'x' })).toEqual([]);
  });

  it('does not change the payload', () => {
    const payload = { a: '1' };
    checkOf({ properties: { a: { type: 'string' }, b: { default: 2 } } })(payload);
    expect(payload).toEqual({ a: '1' });
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
    expect(check({})[0]?.message).toContain('too complex');
    expect(cpuSecondsSince(started)).toBeLessThan(3);
    expect(checkOf({ type: 'object' })({})).toEqual([]);
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
