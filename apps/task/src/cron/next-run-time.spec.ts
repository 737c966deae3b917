import { checkSchedule, nextDue } from './next-run-time';

const due = (cron: string, timezone: string, after: string, count = 1): string[] => {
  const times: string[] = [];
  let at: Date | null = new Date(after);
  while (at !== null && times.length < count) {
    at = nextDue({ cron, timezone }, at);
    if (at) times.push(at.toISOString().replace(':00.000Z', 'Z'));
  }
  return times;
};

describe('fixed times and the clock changes', () => {
  it('runs a time in the gap once, right after it (Berlin, 2026-03-29)', () => {
    expect(due('30 2 * * *', 'Europe/Berlin', '2026-03-28T00:00:00Z', 3)).toEqual([
      '2026-03-28T01:30Z',
      '2026-03-29T01:00Z',
      '2026-03-30T00:30Z',
    ]);
  });

  it('runs several times of one gap once', () => {
    expect(due('0,30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:00Z',
      '2026-03-30T00:00Z',
    ]);
  });

  it('runs a time in the doubled hour once, the first time (Berlin, 2026-10-25)', () => {
    expect(due('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30Z',
      '2026-10-26T01:30Z',
    ]);
    expect(due('30 2 * * *', 'Europe/Berlin', '2026-10-25T00:45:00Z')).toEqual(['2026-10-26T01:30Z']);
    expect(due('30 2 * * *', 'Europe/Berlin', '2026-10-25T01:10:00Z')).toEqual(['2026-10-26T01:30Z']);
  });

  it('knows New York (2026-03-08, 2026-11-01)', () => {
    expect(due('30 2 * * *', 'America/New_York', '2026-03-08T00:00:00Z', 2)).toEqual([
      '2026-03-08T07:00Z',
      '2026-03-09T06:30Z',
    ]);
    expect(due('30 1 * * *', 'America/New_York', '2026-11-01T00:00:00Z', 2)).toEqual([
      '2026-11-01T05:30Z',
      '2026-11-02T06:30Z',
    ]);
  });

  it('knows the half-hour change of Lord Howe (2026-04-05, 2026-10-04)', () => {
    expect(due('15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00:00Z', 2)).toEqual([
      '2026-10-03T15:30Z',
      '2026-10-04T15:15Z',
    ]);
    expect(due('45 1 * * *', 'Australia/Lord_Howe', '2026-04-04T12:00:00Z', 2)).toEqual([
      '2026-04-04T14:45Z',
      '2026-04-05T15:15Z',
    ]);
  });

  it('knows zones that never change', () => {
    expect(due('0 9 * * *', 'Asia/Kolkata', '2026-03-28T00:00:00Z', 2)).toEqual([
      '2026-03-28T03:30Z',
      '2026-03-29T03:30Z',
    ]);
  });
});

describe('stars and the clock changes', () => {
  it('go on in real time through a gap', () => {
    expect(due('*/30 * * * *', 'Europe/Berlin', '2026-03-29T00:29:00Z', 3)).toEqual([
      '2026-03-29T00:30Z',
      '2026-03-29T01:00Z',
      '2026-03-29T01:30Z',
    ]);
  });

  it('go on in real time through a doubled hour', () => {
    expect(due('*/30 * * * *', 'Europe/Berlin', '2026-10-25T00:00:00Z', 5)).toEqual([
      '2026-10-25T00:30Z',
      '2026-10-25T01:00Z',
      '2026-10-25T01:30Z',
      '2026-10-25T02:00Z',
      '2026-10-25T02:30Z',
    ]);
    expect(due('5 * * * *', 'America/New_York', '2026-11-01T04:30:00Z', 3)).toEqual([
      '2026-11-01T05:05Z',
      '2026-11-01T06:05Z',
      '2026-11-01T07:05Z',
    ]);
  });
});

describe('every due time of two years', () => {
  const zones = [
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kolkata',
    'Africa/Casablanca',
    'UTC',
  ];
  const days = Math.round((Date.UTC(2028, 0, 1) - Date.UTC(2026, 0, 1)) / 86_400_000);

  it.each(zones)('comes exactly once a day for a fixed time in %s', (timezone) => {
    for (const cron of ['30 2 * * *', '15 1 * * *', '0 0 * * *', '59 23 * * *']) {
      const seen: number[] = [];
      for (
        let at = nextDue({ cron, timezone }, new Date('2025-12-31T12:00:00Z'));
        at && at < new Date('2027-12-31T12:00:00Z');
        at = nextDue({ cron, timezone }, at)
      )
        seen.push(at.getTime());
      expect(Math.abs(seen.length - days)).toBeLessThanOrEqual(1);
      expect(seen.every((time, i) => i === 0 || time > (seen[i - 1] ?? 0) + 20 * 3_600_000)).toBe(true);
    }
  });
});

describe('what is a schedule', () => {
  const check =
    (cron: string, timezone = 'UTC') =>
    (): void =>
      checkSchedule({ cron, timezone }, new Date('2026-01-01T00:00:00Z'));

  it('joins day of month and day of week by OR', () => {
    expect(due('0 0 13 * 5', 'UTC', '2026-02-01T00:00:00Z', 3)).toEqual([
      '2026-02-06T00:00Z',
      '2026-02-13T00:00Z',
      '2026-02-20T00:00Z',
    ]);
  });

  it('waits for the leap day', () => {
    expect(due('0 0 29 2 *', 'Europe/Berlin', '2026-01-01T00:00:00Z')).toEqual(['2028-02-28T23:00Z']);
  });

  it.each(['* * * * *', '*/5 9-17 * * MON-FRI', '0 0 1 JAN *', '0 0 * * 7', '0 0 * * 0'])('takes %s', (cron) =>
    expect(check(cron)).not.toThrow(),
  );
  it.each([
    '',
    '* * * *',
    '* * * * * *',
    '@daily',
    '60 * * * *',
    '* 24 * * *',
    'a b c d e',
    '0 0 32 * *',
    '*/0 * * * *',
    '0 0 L * *',
    '5-1 * * * *',
  ])('refuses %s', (cron) => expect(check(cron)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' })));
  it.each([
    ['0 9 * *', 'this has 4'],
    ['61 9 * * *', 'the minute is not valid'],
    ['0 24 * * *', 'the hour is not valid'],
    ['0 9 32 * *', 'the day of month is not valid'],
    ['0 9 * FOO *', 'the month is not valid'],
    ['0 9 * * 8', 'the day of week is not valid'],
  ])('says what is wrong with %s', (cron, wrong) => {
    const form = 'must be five fields (minute, hour, day of month, month, day of week), such as "0 9 * * 1-5"';
    const details = [{ path: 'schedule.cron', message: `${form}; ${wrong}` }];
    expect(check(cron)).toThrow(expect.objectContaining({ details }));
  });
  it.each(['0 0 30 2 *', '0 0 31 4 *', '0 0 31 2,4,6 *'])('refuses %s, which never comes', (cron) =>
    expect(check(cron)).toThrow(/never comes/),
  );
  it.each(['Mars/Base', 'CEST+2', '+02:00', '', 'Europe'])('refuses the zone %s', (zone) =>
    expect(check('* * * * *', zone)).toThrow(/time zone/),
  );
});
