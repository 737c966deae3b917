import { Metrics } from '@switchyard/service';
import { SchemaCompiler } from './schema-compiler';

const schemas = new SchemaCompiler(new Metrics('test'));

describe('the schema of an answer', () => {
  it('says what is wrong in one line', async () => {
    const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
    expect(await schemas.problem(schema, { a: 1 })).toBeNull();
    expect(await schemas.problem(schema, { a: 'x' })).toBe('the value.a must be a number');
    expect(await schemas.problem(schema, 5)).toBe('the value must be an object');
  });

  it('may name the dialect that generators write', async () => {
    const schema = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'string' };
    expect(await schemas.problem(schema, 'x')).toBeNull();
  });

  it('is refused where it is none, leaves the document or cannot be bounded', async () => {
    const refusal = (schema: object) => schemas.checkNew(schema as never, 'responseSchema');
    await expect(refusal({ type: 'strange' })).rejects.toThrow(/^responseSchema/);
    await expect(refusal({ properties: { a: { $ref: 'https://example.com/x' } } })).rejects.toThrow(
      /must point into this schema/,
    );
    await expect(refusal({ pattern: '(?=a)b' })).rejects.toThrow(/^responseSchema/);
    await expect(refusal({ enum: ['x'.repeat(70_000)] })).rejects.toThrow(/64|65536/);
  });

  it('is refused over the limits of new schemas, and goes on up to four times of them where it is stored', async () => {
    const over = { properties: { a: { pattern: 'a{1000}' }, b: { pattern: 'b{1000}' }, c: { pattern: 'c{1000}' } } };
    await expect(schemas.checkNew(over, 'responseSchema')).rejects.toThrow(/^responseSchema.*2000 instructions/);
    await schemas.checkStored(over, 'responseSchema');
    expect(await schemas.problem(over, { a: 'x' })).toMatch(/must match the pattern/);
    const beyond = { pattern: '(?:a{1000}){9}' };
    await expect(schemas.checkStored(beyond, 'responseSchema')).rejects.toThrow(/^responseSchema.*2000 instructions/);
    const format = { type: 'string', format: 'url' };
    await expect(schemas.checkNew(format, 'responseSchema')).rejects.toThrow(/\/format is not offered/);
    expect(await schemas.problem(format, 'no address')).toBeNull();
  });

  it('cannot hold the process with a pattern that explodes', async () => {
    const schema = { type: 'string', pattern: '^(a+)+$' };
    expect(await schemas.problem(schema, `${'a'.repeat(5000)}!`)).toBe('the value must match the pattern ^(a+)+$');
  });

  it('sees only what a value has of its own', async () => {
    const schema = { type: 'object', required: ['constructor'], properties: { constructor: { type: 'string' } } };
    expect(await schemas.problem(schema, {})).toMatch(/constructor/);
    expect(await schemas.problem({ properties: schema.properties }, {})).toBeNull();
    expect(await schemas.problem(schema, { constructor: 'Opel' })).toBeNull();
  });
});
