import { SchemaCompiler } from './schema-compiler';

describe('a schema of a user', () => {
  const compiler = new SchemaCompiler();

  it('sees only what a value has of its own', () => {
    const schema = { type: 'object', required: ['constructor'], properties: { constructor: { type: 'string' } } };
    expect(compiler.problem(schema, {})).toMatch(/constructor/);
    expect(compiler.problem({ properties: schema.properties }, {})).toBeNull();
    expect(compiler.problem(schema, { constructor: 'Opel' })).toBeNull();
  });
});
