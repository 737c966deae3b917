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
export const number = (value: number): string => whole.format(value);
export const compactNumber = (value: number): string => compact.format(value);

/** Money as it is counted: small sums keep the digits that they need. */
export const cost = (value: number): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: value < 1 ? 6 : 2 }).format(
    value,
  );

export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.round((ms % 60_000) / 1_000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export const between = (from: string | null | undefined, to: string | null | undefined): string | null =>
  from && to ? duration(Math.max(0, Date.parse(to) - Date.parse(from))) : null;

/** The end of an id, which is what people tell apart. */
export const shortId = (id: string): string => id.slice(0, 8);
