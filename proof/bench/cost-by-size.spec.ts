import { scaleToFirst } from './cost-by-size';

it('costs of a slow minute are scaled to the first one by what a reference took', () => {
  const cost = { size: 1, wallMs: 3, cpu: { gateway: 100, postgres: 200 } };
  expect(scaleToFirst([cost, { ...cost, size: 10 }], [50, 75])).toEqual([
    cost,
    { size: 10, wallMs: 2, cpu: { gateway: 100 / 1.5, postgres: 200 / 1.5 } },
  ]);
});
