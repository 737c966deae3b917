/** The table of a kind of activity, as lists and counters read it. Names are columns of that table. */
export interface ActivitySource {
  table: string;
  /** Its states, kept counters of which are shown. */
  status: string;
  /** When a row was recorded: its place in the list. */
  at: string;
  /** Whose row it is: what is private is shown to them and to ADMIN and up. Null where a row belongs to its Space. */
  owner: string | null;
  /** The column that the filter `userId` means. */
  user: string;
  /** A boolean column: rows that are not shown any more. */
  hidden?: string;
  /** A column before the status in the index of the whole Space, with all values that it may have. */
  lead?: { column: string; values: readonly string[] };
}

/** Stands for all owners together. */
export const EVERYBODY = '00000000-0000-0000-0000-000000000000';

/** A time as exactly as the database has it, as text that sorts like the time. */
export const exactTime = (column: string): string =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Hours since the epoch: what counters are kept by. */
export const hourOf = (column: string): string => `floor(extract(epoch from ${column}) / 3600)::int`;
