import { CompiledSchemaCache } from './compiled-schema-cache';
import type { UsableSchema } from './compile-schema';

const large = (name: string) => ({
  properties: Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`${name}${at}`, { type: 'string' }])),
});

describe('cached schemas', () => {
  it('are compiled once, also for concurrent calls', async () => {
    const schemas = new CompiledSchemaCache('payload');
    const [first, second] = await Promise.all([schemas.compile('a', { type: 'object' }), schemas.compile('a', {})]);
    expect(second).toBe(first);
    expect(schemas.find('a')).toBe(first);
  });

  it('are limited by bytes, not by number', async () => {
    const weight = ((await new CompiledSchemaCache('x').compile('w', large('w'))) as UsableSchema).weight;
    expect(weight).toBeGreaterThan(300_000);
    const schemas = new CompiledSchemaCache('payload', 3.5 * weight);
    await schemas.compile('small', { type: 'object' });
    for (const name of ['a', 'b', 'c', 'd']) await schemas.compile(name, large(name));
    expect(['small', 'a', 'b', 'c', 'd'].filter((name) => schemas.find(name))).toEqual(['b', 'c', 'd']);
    expect(schemas.size).toBeLessThanOrEqual(3.5 * weight);
  });

  it('weigh more with the instructions of their patterns', async () => {
    const schemas = new CompiledSchemaCache('payload');
    const weightOf = async (pattern: string) => ((await schemas.compile(pattern, { pattern })) as UsableSchema).weight;
    expect(await weightOf('a{1000}')).toBeGreaterThan((await weightOf('a{10}')) + 50_000);
  });
});
