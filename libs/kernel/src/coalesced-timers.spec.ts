import { coalesced } from './coalesced-timers';

describe('a coalesced pause', () => {
  it.each([
    [1_000, 0, 1_000],
    [1_000, 20, 980],
    [1_000, 480, 1_020],
    [1_300, 0, 1_500],
    [5_000, 140, 4_860],
  ])('of %d ms that begins at %d ms lasts %d ms, until a tick', (ms, now, expected) => {
    expect(coalesced(ms, now)).toBe(expected);
  });

  it('stays as it is where it is short', () => {
    expect(coalesced(400, 123)).toBe(400);
  });
});
