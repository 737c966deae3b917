import { Metrics } from '@switchyard/service';
import { PayloadSchemas } from './payload-schemas';

it('compiles a schema once, also for those who ask for it at the same time', async () => {
  const schemas = new PayloadSchemas(new Metrics('test'));
  const load = jest.fn(() => Promise.resolve({ type: 'object', required: ['order'] }));
  const [first, second] = await Promise.all([schemas.checkOf('f', load), schemas.checkOf('f', load)]);
  expect(second).toBe(first);
  expect(await schemas.checkOf('f', load)).toBe(first);
  expect(load).toHaveBeenCalledTimes(2);
  expect(first({})).toHaveLength(1);
});

it('says of a stored schema that nothing can be checked with it, and why', async () => {
  const schemas = new PayloadSchemas(new Metrics('test'));
  const pattern = '(?:a{500}){2}(?:b{500}){2}';
  const schema = { allOf: Array.from({ length: 9 }, (_, at) => ({ pattern: `${at}${pattern}` })) };
  const check = await schemas.checkOf('f', () => Promise.resolve(schema));
  expect(check({})).toEqual([{ path: 'schema', message: expect.stringContaining('2000 instructions') as string }]);
});
