import { dueTimes } from './next-run-time';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const AROUND = 30 * HOUR;

/** The minutes around a moment with the wall time that each shows, read from the zone's own calendar. */
function minutesAround(moment: number, timezone: string): { at: number; wall: string }[] {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' });
  const minutes: { at: number; wall: string }[] = [];
  for (let at = moment - AROUND; at <= moment + AROUND; at += MINUTE) minutes.push({ at, wall: format.format(at) });
  return minutes;
}

/** Only what the patterns below use: a star, a step, a list. */
const fits = (field: string, value: number): boolean => {
  const step = /^\*\/(\d+)$/.exec(field);
  if (step) return value % Number(step[1]) === 0;
  return field === '*' || field.split(',').map(Number).includes(value);
};

const isMatch = (cron: string, wall: string): boolean => {
  const [minute = '', hour = ''] = cron.split(' ');
  return fits(hour, Number(wall.slice(11, 13))) && fits(minute, Number(wall.slice(14, 16)));
};

/** Every minute whose wall time fits. */
const byRealTime = (cron: string, minutes: { at: number; wall: string }[]): number[] =>
  minutes.filter(({ wall }) => isMatch(cron, wall)).map(({ at }) => at);

/** Every wall time that fits once: at its first minute, or at the first minute after the gap that it lies in. */
function byWallTime(cron: string, minutes: { at: number; wall: string }[]): number[] {
  const due = new Set<number>();
  const asUtc = (wall: string): number => Date.parse(`${wall.replace(' ', 'T')}Z`);
  let shown = asUtc(minutes[0]?.wall ?? '') - MINUTE;
  for (const { at, wall } of minutes) {
    for (; shown < asUtc(wall); shown += MINUTE) {
      const passed = new Date(shown + MINUTE).toISOString().slice(0, 16).replace('T', ' ');
      if (isMatch(cron, passed)) due.add(at);
    }
  }
  return [...due];
}

const changes: [zone: string, change: string][] = [
  ['Europe/Berlin', '2026-03-29T01:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00Z'],
  ['America/New_York', '2026-03-08T07:00Z'],
  ['America/New_York', '2026-11-01T06:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30Z'],
  ['Africa/Cairo', '2026-04-23T22:00Z'],
  ['Africa/Cairo', '2026-10-29T21:00Z'],
  ['Africa/Casablanca', '2026-02-15T02:00Z'],
  ['Antarctica/Troll', '2026-03-29T01:00Z'],
];
const realTime = ['* * * * *', '*/7 * * * *', '5 * * * *', '*/15 2 * * *', '0 */2 * * *', '* 0,1,2,23 * * *'];
const fixed = ['30 2 * * *', '0,30 2 * * *', '0,17,45 0,1,2,3 * * *', '0 3 * * *', '0 0 * * *', '59 23 * * *'];

describe('the due times around a clock change', () => {
  it.each(changes)('are those that the calendar of %s shows around %s', (timezone, change) => {
    const moment = Date.parse(change);
    const minutes = minutesAround(moment, timezone);
    const end = moment + AROUND;
    for (const cron of [...realTime, ...fixed]) {
      const expected = realTime.includes(cron) ? byRealTime(cron, minutes) : byWallTime(cron, minutes);
      const dueAfter = dueTimes({ cron, timezone });
      const found: number[] = [];
      let at = dueAfter(new Date(moment - AROUND - 1));
      for (; at && at.getTime() <= end; at = dueAfter(at)) found.push(at.getTime());
      expect({ cron, found }).toEqual({ cron, found: expected });
      // The next time does not depend on whether the start is itself a due time.
      for (let from = moment - 4 * HOUR; from < moment + 4 * HOUR; from += 11 * MINUTE)
        expect(dueAfter(new Date(from))?.getTime()).toBe(expected.find((time) => time > from));
    }
  });

  it('cost no more than those of other days', () => {
    const elapsed = (from: string): number => {
      const dueAfter = dueTimes({ cron: '* * * * *', timezone: 'Europe/Berlin' });
      let at: Date | null = new Date(from);
      const start = performance.now();
      for (let count = 0; at && count < 300; count += 1) at = dueAfter(at);
      return performance.now() - start;
    };
    elapsed('2026-06-01T00:00:00Z');
    const ordinary = Math.min(...[1, 2, 3].map((day) => elapsed(`2026-07-0${day}T00:00:00Z`)));
    const near = Math.min(...[1, 2, 3].map(() => elapsed('2026-03-28T23:00:00Z')));
    expect(near).toBeLessThan(10 * ordinary);
  });
});
