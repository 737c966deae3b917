/** The table of a kind of activity. Names are its columns. */
export interface ActivitySource {
  table: string;
  /** Its states, which are counted. */
  status: string;
  /** When the row was created: its position in the list. */
  at: string;
  /**
   * Owner of the row: private rows are only visible to the owner, and to ADMIN and higher. Null for rows of the Space.
   */
  owner: string | null;
  /** Column of the filter `userId`. */
  user: string;
  /** Column with the one user, beside ADMIN and up, who may see the row; null there for every member. */
  audience?: string;
  /** A boolean column: rows to hide. */
  hidden?: string;
  /** A column before the status in the Space's index, with all its possible values. */
  lead?: { column: string; values: readonly string[] };
}

/** Stands for all owners. */
export const EVERYBODY = '00000000-0000-0000-0000-000000000000';

/** The time at full precision, as text that sorts like it. */
export const exactTime = (column: string): string =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Hours since the epoch, the key of counters. */
export const hourOf = (column: string): string => `floor(extract(epoch from ${column}) / 3600)::int`;
