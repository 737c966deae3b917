import { SchemaCompiler } from './schema-compiler';

const schemas = new SchemaCompiler();

describe('the schema of an answer', () => {
  it('says what is wrong in one line', () => {
    const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
    expect(schemas.problem(schema, { a: 1 })).toBeNull();
    expect(schemas.problem(schema, { a: 'x' })).toBe('the value.a must be a number');
    expect(schemas.problem(schema, 5)).toBe('the value must be an object');
  });

  it('may name the dialect that generators write', () => {
    const schema = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'string' };
    expect(schemas.problem(schema, 'x')).toBeNull();
  });

  it('is refused where it is none, leaves the document or cannot be bounded', () => {
    const refusal = (schema: object) => () => schemas.check(schema as never, 'responseSchema');
    expect(refusal({ type: 'strange' })).toThrow(/^responseSchema/);
    expect(refusal({ properties: { a: { $ref: 'https://example.com/x' } } })).toThrow(/must point into this schema/);
    expect(refusal({ pattern: '(?=a)b' })).toThrow(/^responseSchema/);
    expect(refusal({ enum: ['x'.repeat(70_000)] })).toThrow(/64|65536/);
  });

  it('cannot hold the process with a pattern that explodes', () => {
    const schema = { type: 'string', pattern: '^(a+)+$' };
    expect(schemas.problem(schema, `${'a'.repeat(5000)}!`)).toBe('the value must match the pattern ^(a+)+$');
  });

  it('sees only what a value has of its own', () => {
    const schema = { type: 'object', required: ['constructor'], properties: { constructor: { type: 'string' } } };
    expect(schemas.problem(schema, {})).toMatch(/constructor/);
    expect(schemas.problem({ properties: schema.properties }, {})).toBeNull();
    expect(schemas.problem(schema, { constructor: 'Opel' })).toBeNull();
  });
});
