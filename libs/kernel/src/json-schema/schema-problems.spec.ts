import { SCHEMA_LIMITS, schemaProblems } from './schema-problems';
import { subschemasOf } from './subschemas';

describe('the schema of a user', () => {
  it('may use references into itself and name its dialect and its id', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://example.com/order.json',
      properties: { total: { $ref: '#/$defs/money' } },
      $defs: { money: { type: 'number' } },
    };
    expect(schemaProblems(schema)).toEqual([]);
  });

  it.each([
    [{ properties: { a: { $ref: 'https://example.com/other.json' } } }, '/properties/a/$ref'],
    [{ properties: { a: { $ref: 'other.json#/x' } } }, '/properties/a/$ref'],
    [{ allOf: [{ $dynamicRef: 'http://x/#a' }] }, '/allOf/0/$dynamicRef'],
    [{ $defs: { a: { $id: 'https://example.com/a' } } }, '/$defs/a/$id'],
    [{ $schema: 'http://json-schema.org/draft-07/schema#' }, '/$schema'],
  ])('is rejected if it leaves the document or changes the dialect: %j', (schema, path) => {
    expect(schemaProblems(schema).map((problem) => problem.path)).toEqual([path]);
  });

  it('is bounded in depth, size and number of schemas', () => {
    let deep: Record<string, unknown> = {};
    for (let i = 0; i <= SCHEMA_LIMITS.depth; i += 1) deep = { items: deep };
    expect(schemaProblems(deep)[0]?.message).toContain('deeper');
    expect(schemaProblems({ description: 'x'.repeat(SCHEMA_LIMITS.bytes) })[0]?.message).toContain('bytes');
    const many = { allOf: Array.from({ length: SCHEMA_LIMITS.subschemas }, () => ({})) };
    expect(schemaProblems(many)[0]?.message).toContain('schemas');
  });

  it('is not searched for schemas in its data', () => {
    const schema = { enum: [{ $ref: 'https://example.com' }], const: { items: {} }, default: { not: {} } };
    expect(subschemasOf(schema)).toHaveLength(1);
    expect(schemaProblems(schema)).toEqual([]);
  });
});
