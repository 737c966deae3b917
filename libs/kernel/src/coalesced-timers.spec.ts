import { coalesced } from './coalesced-timers';

describe('a coalesced pause', () => {
  it.each([
    [1_000, 0, 1_000],
    [1_000, 20, 980],
    [1_000, 480, 520],
    [1_000, 520, 1_480],
    [1_300, 0, 1_000],
    [5_000, 140, 4_860],
    [500, 140, 360],
    [750, 0, 1_000],
  ])('of %d ms that begins at %d ms lasts %d ms, until a tick', (ms, now, expected) => {
    expect(coalesced(ms, now)).toBe(expected);
  });

  it('stays as it is where it is short', () => {
    expect(coalesced(400, 123)).toBe(400);
  });
});
