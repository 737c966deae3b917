import { nextMonth } from './budget-check';
import { keyRefusalOf, refuseKey } from './key-budget-check';

describe('the token limits of a key', () => {
  const account = { reserved: 10, dailyUsed: 40, monthlyUsed: 90 };

  it.each([
    ['no limits', {}, null],
    ['room in both', { dailyTokens: 51, monthlyTokens: 101 }, null],
    ['a day that is used up by what runs', { dailyTokens: 50 }, 'DAILY_LIMIT_EXCEEDED'],
    ['a month that is used up', { monthlyTokens: 100 }, 'MONTHLY_LIMIT_EXCEEDED'],
    ['the day before the month', { dailyTokens: 50, monthlyTokens: 100 }, 'DAILY_LIMIT_EXCEEDED'],
    ['0 allows nothing', { monthlyTokens: 0 }, 'MONTHLY_LIMIT_EXCEEDED'],
  ])('are judged by what is used and reserved: %s', (_, limits, refusal) => {
    expect(keyRefusalOf(limits, account)).toBe(refusal);
  });

  it('refuse until the period ends', () => {
    const now = new Date('2026-12-31T23:59:30Z');
    expect(nextMonth(now).toISOString()).toBe('2027-01-01T00:00:00.000Z');
    expect(refuseKey('MONTHLY_LIMIT_EXCEEDED', now)).toMatchObject({ status: 429, retryAfterSeconds: 30 });
    expect(refuseKey('DAILY_LIMIT_EXCEEDED', new Date('2026-12-30T23:59:00Z'))).toMatchObject({
      retryAfterSeconds: 60,
    });
  });
});
