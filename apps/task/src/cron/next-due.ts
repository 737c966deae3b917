import { invalid } from '@switchyard/kernel';
import { Cron } from 'croner';
import { instantsOf, isNearChange, isZone, wallHours, wallOf } from './wall-clock';

export interface CronSchedule {
  cron: string;
  timezone: string;
}

const FIELD = /^(?:[0-9*,/-]|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC|SUN|MON|TUE|WED|THU|FRI|SAT)+$/i;
/** No clock change has moved a clock by more. */
const LARGEST_CHANGE = wallHours(3);

/** Walks the wall clock as if it were UTC: the zone is put on afterwards, by the rules of this file. */
const onWall = (cron: string): Cron => new Cron(cron, { timezone: 'UTC', mode: '5-part', paused: true });

const nextWall = (walk: Cron, after: number): number | null => walk.nextRun(new Date(after))?.getTime() ?? null;

/** A job with a star in its minutes or hours follows real time; one with fixed times runs once a day, whatever the clock does. */
function followsRealTime(cron: string): boolean {
  const [minutes = '', hours = ''] = cron.trim().split(/\s+/);
  return minutes.startsWith('*') || hours.startsWith('*');
}

function dueFixed(walk: Cron, zone: string, after: number): number | null {
  let wall = nextWall(walk, wallOf(after, zone) - LARGEST_CHANGE);
  while (wall !== null) {
    const { instants, gapEnd } = instantsOf(wall, zone);
    const due = instants[0] ?? gapEnd;
    if (due !== null && due > after) return due;
    wall = nextWall(walk, wall);
  }
  return null;
}

function dueRealTime(walk: Cron, zone: string, after: number): number | null {
  let due: number | null = null;
  let wall = nextWall(walk, wallOf(after, zone) - LARGEST_CHANGE);
  while (wall !== null) {
    // A doubled hour shows earlier wall times again, so the search goes on a little after the first hit.
    if (due !== null && wall > wallOf(due, zone) + LARGEST_CHANGE) return due;
    const next = instantsOf(wall, zone).instants.find((instant) => instant > after);
    if (next !== undefined && (due === null || next < due)) due = next;
    wall = nextWall(walk, wall);
  }
  return due;
}

/** The first due time after an instant, or null when there is none any more. */
export function nextDue(schedule: CronSchedule, after: Date): Date | null {
  const { cron, timezone: zone } = schedule;
  const walk = onWall(cron);
  const from = after.getTime();
  let due: number | null;
  if (isNearChange(from, zone)) due = (followsRealTime(cron) ? dueRealTime : dueFixed)(walk, zone, from);
  else {
    const wall = nextWall(walk, wallOf(from, zone));
    const found = wall === null ? null : instantsOf(wall, zone);
    due =
      found === null
        ? null
        : (found.instants[0] ?? (followsRealTime(cron) ? dueRealTime(walk, zone, from) : found.gapEnd));
  }
  return due === null ? null : new Date(due);
}

/** Refuses what is no five-field cron, no IANA zone, or a date that never comes. */
export function checkSchedule(schedule: CronSchedule, now: Date): void {
  const fields = schedule.cron.trim().split(/\s+/);
  if (fields.length !== 5 || !fields.every((field) => FIELD.test(field))) {
    throw invalid('schedule.cron', 'must have five fields: minute, hour, day of month, month, day of week');
  }
  if (!isZone(schedule.timezone)) throw invalid('schedule.timezone', 'must be an IANA time zone such as Europe/Berlin');
  let due: Date | null;
  try {
    due = nextDue(schedule, now);
  } catch {
    throw invalid('schedule.cron', 'is not a cron expression');
  }
  if (due === null) throw invalid('schedule.cron', 'names a date that never comes');
}
