import { isOwnStall } from './event-loop-stall';

describe('a stall of the event loop', () => {
  it.each([
    ['worked all the time', 400, 390, true],
    ['worked for most of it', 400, 290, true],
    ['was below the limit', 190, 190, false],
    ['worked for twice the limit, with pauses', 2_000, 400, true],
    ['was preempted for most of it', 2_000, 300, false],
    ['was stopped by a signal', 10_000, 1, false],
    ['waited for a disk', 800, 50, false],
  ])('counts as its own only when the process used the processor: %s', (_, wallMs, cpuMs, isOwn) => {
    expect(isOwnStall({ wallMs, cpuMs }, 200)).toBe(isOwn);
  });
});
