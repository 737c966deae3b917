import { BacklogMeasurementSchedule, pauseAfter } from './backlog-measurement-schedule';

describe('measuring what waits', () => {
  it.each([
    [0, 2_000],
    [50, 2_000],
    [500, 5_000],
    [3_000, 10_000],
  ])('pauses the longer the longer it took, up to a bound: %d ms, then %d ms', (tookMs, pauseMs) => {
    expect(pauseAfter(tookMs)).toBe(pauseMs);
  });

  it('measures a Space by its own times, regardless of other Spaces', () => {
    const backlogMeasurementSchedule = new BacklogMeasurementSchedule();
    const spaces = new Set(['large', 'small', 'new']);
    backlogMeasurementSchedule.took(['large'], 0, 1_000);
    backlogMeasurementSchedule.took(['small'], 0, 5);
    expect(backlogMeasurementSchedule.due(spaces, 0)).toEqual(['new']);
    backlogMeasurementSchedule.took(['new'], 500, 510);
    expect(backlogMeasurementSchedule.due(spaces, 2_600)).toEqual(['small', 'new']);
    expect(backlogMeasurementSchedule.due(spaces, 11_000)).toEqual(['small', 'new', 'large']);
  });

  it('forgets a Space of which nothing waits', () => {
    const backlogMeasurementSchedule = new BacklogMeasurementSchedule();
    backlogMeasurementSchedule.took(['a'], 0, 5);
    backlogMeasurementSchedule.due(new Set(), 6);
    expect(backlogMeasurementSchedule.due(new Set(['a']), 7)).toEqual(['a']);
  });
});
