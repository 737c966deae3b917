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
