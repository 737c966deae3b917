import { addCosts } from './round-costs';

it('sums of costs are without binary noise, however many there are', () => {
  expect(0.0001 + 0.0002).not.toBe(0.0003);
  expect(addCosts(0.0001, 0.0002)).toBe(0.0003);
  expect(Array.from({ length: 1000 }, () => 0.00022).reduce(addCosts)).toBe(0.22);
});
