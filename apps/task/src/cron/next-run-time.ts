import { invalid } from '@switchyard/kernel';
import { Cron } from 'croner';
import { findChange, instantsOf, isZone, latestWall, offsetAt, wallOf } from './time-zones';

export interface CronSchedule {
  cron: string;
  timezone: string;
}

const FIELD = /^(?:[0-9*,/-]|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC|SUN|MON|TUE|WED|THU|FRI|SAT)+$/i;
const FIELD_NAMES = ['minute', 'hour', 'day of month', 'month', 'day of week'];
const FORM = 'must be five fields (minute, hour, day of month, month, day of week), such as "0 9 * * 1-5"';

/** Walks the wall clock as if it were UTC: the zone is put on afterwards, by the rules of this file. */
const onWall = (cron: string): Cron => new Cron(cron, { timezone: 'UTC', mode: '5-part', paused: true });

const nextWall = (walk: Cron, after: number): number | null => walk.nextRun(new Date(after))?.getTime() ?? null;

/**
 * A job with a star in its minutes or hours follows real time; one with fixed times runs once a day, also on days of a
 * clock change.
 */
function followsRealTime(cron: string): boolean {
  const [minutes = '', hours = ''] = cron.trim().split(/\s+/);
  return minutes.startsWith('*') || hours.startsWith('*');
}

/** Each wall time once: the first time that the clock shows it, or the end of the gap that swallows it. */
function dueFixed(walk: Cron, zone: string, after: number): number | null {
  let wall = nextWall(walk, latestWall(after, zone));
  while (wall !== null) {
    const { instants, gapEnd } = instantsOf(wall, zone);
    const due = instants[0] ?? gapEnd;
    if (due !== null && due > after) return due;
    wall = nextWall(walk, wall);
  }
  return null;
}

/** Every instant whose wall time fits. Up to a change of the clock, wall times and instants run side by side. */
function dueRealTime(walk: Cron, zone: string, after: number): number | null {
  let from = after;
  let wall = nextWall(walk, wallOf(after, zone));
  while (wall !== null) {
    const due: number = wall - offsetAt(from, zone);
    const change = findChange(from, due, zone);
    if (change === null) return due;
    from = change;
    wall = nextWall(walk, wallOf(change, zone) - 1000);
  }
  return null;
}

/** The first due time after an instant, or null if there is none. */
export function dueTimes({ cron, timezone }: CronSchedule): (after: Date) => Date | null {
  const walk = onWall(cron);
  const dueAfter = followsRealTime(cron) ? dueRealTime : dueFixed;
  return (after) => {
    const due = dueAfter(walk, timezone, after.getTime());
    return due === null ? null : new Date(due);
  };
}

export const nextDue = (schedule: CronSchedule, after: Date): Date | null => dueTimes(schedule)(after);

/** Which field cannot be read, each one looked at by itself. */
function wrongField(fields: readonly string[]): string | null {
  if (fields.length !== FIELD_NAMES.length) return `this has ${fields.length}`;
  for (const [at, name] of FIELD_NAMES.entries()) {
    const field = fields[at] ?? '';
    if (!FIELD.test(field) || !isReadable(fields.map((_, other) => (other === at ? field : '*')).join(' ')))
      return `the ${name} is not valid`;
  }
  return null;
}

function isReadable(cron: string): boolean {
  try {
    onWall(cron);
    return true;
  } catch {
    return false;
  }
}

/** Refuses what is no five-field cron, no IANA zone, or a date that never comes. */
export function checkSchedule(schedule: CronSchedule, now: Date): void {
  const wrong = wrongField(schedule.cron.trim().split(/\s+/));
  if (wrong !== null) throw invalid('schedule.cron', `${FORM}; ${wrong}`);
  if (!isZone(schedule.timezone)) throw invalid('schedule.timezone', 'must be an IANA time zone such as Europe/Berlin');
  let due: Date | null;
  try {
    due = nextDue(schedule, now);
  } catch {
    throw invalid('schedule.cron', FORM);
  }
  if (due === null) throw invalid('schedule.cron', 'names a date that never comes');
}
