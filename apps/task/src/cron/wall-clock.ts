/**
 * Time zones without a library: a wall time is the milliseconds that the zone's clock would show if it were UTC.
 */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    const numeric = '2-digit' as const;
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    });
    if (formats.size > 700) formats.clear();
    formats.set(zone, format);
  }
  return format;
}

/** IANA names only: an offset such as +02:00 would not follow the clock changes. */
export function isZone(zone: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(zone)) return false;
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

export function wallOf(instant: number, zone: string): number {
  const parts: Record<string, string> = {};
  for (const { type, value } of formatOf(zone).formatToParts(instant)) parts[type] = value;
  const part = (name: string): number => Number(parts[name]);
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}

const offsetAt = (instant: number, zone: string): number => wallOf(instant, zone) - Math.floor(instant / 1000) * 1000;

/** The moment at which the zone's clock changes between two instants with different offsets. */
function changeBetween(from: number, to: number, zone: string): number {
  const before = offsetAt(from, zone);
  let [low, high] = [from, to];
  while (high - low > 1000) {
    const middle = low + Math.floor((high - low) / 2000) * 1000;
    if (offsetAt(middle, zone) === before) low = middle;
    else high = middle;
  }
  return high;
}

export interface WallInstants {
  /** None in the gap of a clock change, two in a doubled hour, else one. */
  instants: number[];
  /** The end of the gap that swallowed this wall time. */
  gapEnd: number | null;
}

export function instantsOf(wall: number, zone: string): WallInstants {
  const [from, to] = [wall - DAY, wall + DAY];
  const offsets = [offsetAt(from, zone), offsetAt(to, zone)];
  const instants = [...new Set(offsets)]
    .map((offset) => wall - offset)
    .filter((instant) => wallOf(instant, zone) === wall)
    .sort((a, b) => a - b);
  return { instants, gapEnd: instants.length === 0 ? changeBetween(from, to, zone) : null };
}

/** Whether the zone's clock changes within a day of this instant. */
export const isNearChange = (instant: number, zone: string): boolean =>
  offsetAt(instant - DAY, zone) !== offsetAt(instant + 2 * DAY, zone);

export const wallHours = (hours: number): number => hours * HOUR;
