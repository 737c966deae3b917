const FORM = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/** A calendar day that exists, years 0001 to 9999. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false;
  const ms = Date.parse(`${text}T00:00:00.000Z`);
  return Number.isFinite(ms) && new Date(ms).toISOString().startsWith(text);
}

/**
 * Canonical spelling of an RFC 3339 time: UTC with milliseconds, or microseconds (the precision of Postgres) if they
 * are not zero. Null if it is not a full time.
 */
export function canonicalInstant(text: string): string | null {
  const [, day, time, fraction = '', sign, hours = '0', minutes = '0'] = FORM.exec(text) ?? [];
  if (day === undefined || time === undefined || !isDay(day)) return null;
  if (time.startsWith('24') || Number(hours) > 23 || Number(minutes) > 59) return null;
  const micros = fraction.padEnd(6, '0');
  const local = Date.parse(`${day}T${time}.${micros.slice(0, 3)}Z`);
  if (!Number.isFinite(local)) return null;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  const ms = sign === '-' ? local + offsetMs : local - offsetMs;
  const year = Number.isFinite(ms) ? new Date(ms).getUTCFullYear() : 0;
  if (year < 1 || year > 9999) return null;
  const canonical = new Date(ms).toISOString();
  return micros.endsWith('000') ? canonical : `${canonical.slice(0, -1)}${micros.slice(3)}Z`;
}

/** With microseconds everywhere, canonical instants sort as text. */
export const instantSortKey = (canonical: string): string => canonical.slice(0, -1).padEnd(26, '0');
