import { waitUntil } from './clock';

jest.useFakeTimers();

describe('a wait for work that ends by itself', () => {
  it.each([
    ['ends with the work', 120, 150],
    ['ends when its time is over', 5_000, 1_000],
    ['does not begin where there is no work', 0, 0],
  ])('%s', async (_, workMs, waitedMs) => {
    const begun = Date.now();
    let ended: number | undefined;
    void waitUntil(() => Date.now() - begun >= workMs, 1_000).then(() => (ended = Date.now() - begun));
    await jest.advanceTimersByTimeAsync(2_000);
    expect(ended).toBe(waitedMs);
  });
});
