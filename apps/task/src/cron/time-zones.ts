/**
 * Time zones without a library: a wall time is the milliseconds that the zone's clock would show if it were UTC.
 */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const WEEK = 7 * DAY;

/** The offsets of a zone at the ends of one week, and the moment between them at which the clock changes. */
interface Week {
  before: number;
  after: number;
  change: number | null;
}

interface Zone {
  format: Intl.DateTimeFormat;
  /** Formatting an instant takes some ten microseconds, so each week is looked at once. */
  weeks: Map<number, Week>;
}

const zones = new Map<string, Zone>();
/** Of all zones together, some megabytes. */
const MAX_WEEKS = 20_000;
let cachedWeeks = 0;

function zoneOf(name: string): Zone {
  let zone = zones.get(name);
  if (!zone) {
    const numeric = '2-digit' as const;
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    });
    zone = { format, weeks: new Map() };
    if (zones.size > 700) zones.clear();
    zones.set(name, zone);
  }
  return zone;
}

/** IANA names only: an offset such as +02:00 would not follow the clock changes. */
export function isZone(zone: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(zone)) return false;
  try {
    zoneOf(zone);
    return true;
  } catch {
    return false;
  }
}

function readOffset(format: Intl.DateTimeFormat, instant: number): number {
  const parts: Record<string, string> = {};
  for (const { type, value } of format.formatToParts(instant)) parts[type] = value;
  const part = (name: string): number => Number(parts[name]);
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return wall - Math.floor(instant / 1000) * 1000;
}

/** No zone changes its clock twice within a week. */
function weekOf(zone: Zone, number: number): Week {
  let week = zone.weeks.get(number);
  if (!week) {
    let [low, high] = [number * WEEK, (number + 1) * WEEK];
    const [before, after] = [readOffset(zone.format, low), readOffset(zone.format, high)];
    while (before !== after && high - low > 1000) {
      const middle = low + Math.floor((high - low) / 2000) * 1000;
      if (readOffset(zone.format, middle) === before) low = middle;
      else high = middle;
    }
    week = { before, after, change: before === after ? null : high };
    if (cachedWeeks >= MAX_WEEKS) {
      for (const { weeks } of zones.values()) weeks.clear();
      cachedWeeks = 0;
    }
    zone.weeks.set(number, week);
    cachedWeeks += 1;
  }
  return week;
}

/** The zone's offset from UTC. */
export function offsetAt(instant: number, zone: string): number {
  const { before, after, change } = weekOf(zoneOf(zone), Math.floor(instant / WEEK));
  return change !== null && instant >= change ? after : before;
}

export const wallOf = (instant: number, zone: string): number =>
  Math.floor(instant / 1000) * 1000 + offsetAt(instant, zone);

/** The first moment after one instant, and not after another, at which the zone's clock changes. */
export function findChange(after: number, upTo: number, zone: string): number | null {
  const existing = zoneOf(zone);
  for (let number = Math.floor(after / WEEK); number * WEEK <= upTo; number += 1) {
    const { change } = weekOf(existing, number);
    if (change !== null && change > after && change <= upTo) return change;
  }
  return null;
}

/** The latest wall time that the zone's clock has shown until an instant. In a doubled hour it has been further. */
export function latestWall(instant: number, zone: string): number {
  const wall = wallOf(instant, zone);
  const change = findChange(instant - DAY, instant, zone);
  return change === null ? wall : Math.max(wall, wallOf(change - 1000, zone));
}

export interface WallInstants {
  /** None in the gap of a clock change, two in a doubled hour, else one. */
  instants: number[];
  /** The end of the gap that swallowed this wall time. */
  gapEnd: number | null;
}

export function instantsOf(wall: number, zone: string): WallInstants {
  const [from, to] = [wall - DAY, wall + DAY];
  const instants = [...new Set([offsetAt(from, zone), offsetAt(to, zone)])]
    .map((offset) => wall - offset)
    .filter((instant) => wallOf(instant, zone) === wall)
    .sort((a, b) => a - b);
  return { instants, gapEnd: instants.length === 0 ? findChange(from, to, zone) : null };
}
