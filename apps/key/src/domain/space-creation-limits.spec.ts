import { refuseCreation } from './space-creation-limits';

describe('how many Spaces a person may make', () => {
  const now = new Date('2026-03-02T12:00:00Z');
  const limits = { all: 100, ofDay: 20 };
  const made = { all: 20, ofDay: 19, oldestOfDay: '2026-03-02T11:00:00Z' };

  it('is not reached one below both limits', () => {
    expect(refuseCreation(made, limits, now)).toBeNull();
  });

  it('is reached for a day until the oldest of that day is a day old', () => {
    expect(refuseCreation({ ...made, ofDay: 20 }, limits, now)).toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterSeconds: 23 * 3600,
    });
  });

  it('is reached for good with all of them, and says to come back in a day', () => {
    expect(refuseCreation({ ...made, all: 100 }, limits, now)).toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterSeconds: 86_400,
    });
  });

  it('allows nothing with a limit of 0', () => {
    const none = { all: 0, ofDay: 0, oldestOfDay: null };
    expect(refuseCreation(none, { all: 100, ofDay: 0 }, now)?.retryAfterSeconds).toBe(86_400);
  });
});
