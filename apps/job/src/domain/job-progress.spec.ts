import { callbackDelayMs } from './callback-schedule';
import { progressAfter } from './job-progress';

it('progress only grows, and stays under the end', () => {
  const seen = [0, 1_000, 30_000, 600_000, 86_400_000].map(progressAfter);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen[0]).toBe(5);
  expect(seen.at(-1)).toBeLessThanOrEqual(95);
});

it('deliveries of a callback grow rare, and end', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8].map((failed) => callbackDelayMs(failed, 2_000, () => 0.5) ?? 0);
  expect(waits).toEqual([...waits].sort((a, b) => a - b));
  expect(waits[0]).toBe(2_000);
  expect(callbackDelayMs(9, 2_000)).toBeNull();
});
