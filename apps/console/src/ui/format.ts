const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });
const whole = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

export function relativeTime(at: string, now: number): string {
  const seconds = Math.round((Date.parse(at) - now) / 1000);
  for (const [unit, size] of STEPS)
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  return Math.abs(seconds) < 5 ? 'now' : relative.format(seconds, 'second');
}

export const exactTime = (at: string): string => exact.format(new Date(at));

const byHour = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', hour: 'numeric' });
const byDay = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });
const DAY_SECONDS = 86_400;

/** A point of a curve, as exact as its points are far apart. Seconds since 1970. */
export const pointTime = (time: number, times: readonly number[]): string =>
  ((times[1] ?? 0) - (times[0] ?? 0) < DAY_SECONDS ? byHour : byDay).format(new Date(time * 1000));

export const number = (value: number): string => whole.format(value);
export const compactNumber = (value: number): string => compact.format(value);

/** Money as it is counted: small sums keep the digits that they need. */
export const cost = (value: number): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: value < 1 ? 6 : 2 }).format(
    value,
  );

export function duration(ms: number): string {
  if (Math.round(ms) < 1_000) return `${Math.round(ms)} ms`;
  // Rounded first: 59,990 ms are a minute, not "60.0 s".
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export const between = (from: string | null | undefined, to: string | null | undefined): string | null =>
  from && to ? duration(Math.max(0, Date.parse(to) - Date.parse(from))) : null;

/** The end of an id: its start is the time, the same for all of a minute. */
export const shortId = (id: string): string => id.slice(-8);

const megabytes = new Intl.NumberFormat('en', { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 });
const kilobytes = new Intl.NumberFormat('en', { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 });

export const size = (bytes: number): string =>
  bytes < 1_000_000 ? kilobytes.format(bytes / 1_000) : megabytes.format(bytes / 1_000_000);

const percents = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 });
export const percent = (share: number): string => percents.format(share);
