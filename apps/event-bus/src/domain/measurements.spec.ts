import { Measurements, pauseAfter } from './measurements';

describe('measuring what waits', () => {
  it.each([
    [0, 2_000],
    [50, 2_000],
    [500, 5_000],
    [3_000, 10_000],
  ])('pauses the longer the longer it took, up to a bound: %d ms, then %d ms', (tookMs, pauseMs) => {
    expect(pauseAfter(tookMs)).toBe(pauseMs);
  });

  it('comes to a Space by its own times, whatever another one takes', () => {
    const measurements = new Measurements();
    const spaces = new Set(['large', 'small', 'new']);
    measurements.took(['large'], 0, 1_000);
    measurements.took(['small'], 0, 5);
    expect(measurements.due(spaces, 0)).toEqual(['new']);
    measurements.took(['new'], 500, 510);
    expect(measurements.due(spaces, 2_600)).toEqual(['small', 'new']);
    expect(measurements.due(spaces, 11_000)).toEqual(['small', 'new', 'large']);
  });

  it('forgets a Space of which nothing waits', () => {
    const measurements = new Measurements();
    measurements.took(['a'], 0, 5);
    measurements.due(new Set(), 6);
    expect(measurements.due(new Set(['a']), 7)).toEqual(['a']);
  });
});
