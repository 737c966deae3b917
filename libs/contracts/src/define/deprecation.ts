/** An operation that goes: it works as before until `sunset`, and every answer says so. */
export interface Deprecation {
  /** The day of the release that announced it: `2027-01-31`. */
  since: string;
  /** The first day on which a release may lack it, a year later or more. */
  sunset: string;
  /** The operation to call instead, as a sentence. */
  instead: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const YEAR_MS = 365 * 86_400_000;

/** Null if clients have the year that is promised to them. */
export function deprecationFault({ since, sunset, instead }: Deprecation): string | null {
  if (![since, sunset].every((day) => DAY.test(day) && !Number.isNaN(Date.parse(day))))
    return 'since and sunset are days such as 2027-01-31';
  if (Date.parse(sunset) - Date.parse(since) < YEAR_MS) return 'sunset is less than a year after since';
  return /^[A-Z].*\.$/s.test(instead) ? null : 'instead is a sentence';
}
