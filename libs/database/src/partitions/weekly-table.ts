/**
 * A table that only grows, kept in one partition a week, so that what is old goes as a whole instead of row by row.
 * The week of a row is in its id, a UUIDv7: each key that holds the id stays unique over all weeks.
 */
export interface WeeklyTable {
  table: string;
  /** The column whose UUIDv7 says the week. It is part of the primary key. */
  id: string;
  /** The column that says when the row came, by the clock of the database. */
  at: string;
  /** The database itself refuses to drop a week that ended fewer days ago, whatever a service asks for. */
  leastDays: number;
  /** Whether the rows belong to Spaces: row-level security is forced in each week as well. */
  isOfSpaces: boolean;
}

/** What was there before the weeks, up to the first of them. Its rows go one by one until it can be dropped. */
export const beforeOf = ({ table }: WeeklyTable): string => `${table}_p_before`;
/** Rows that find no week: of one that was dropped, or was not made in time. No row is ever refused. */
export const restOf = ({ table }: WeeklyTable): string => `${table}_p_rest`;

/** The maker keeps so many weeks ready, so that it can be away for most of them. */
export const WEEKS_AHEAD = 4;
