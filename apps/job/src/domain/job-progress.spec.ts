import { progressAfter } from './job-progress';

it('progress only grows, and stays under the end', () => {
  const seen = [0, 1_000, 30_000, 600_000, 86_400_000].map(progressAfter);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen[0]).toBe(5);
  expect(seen.at(-1)).toBeLessThanOrEqual(95);
});
