/**
 * An append-only table with weekly partitions, so that old rows are dropped a week at a time. The week is in the row's
 * UUIDv7, so keys with the id are unique over all weeks.
 */
export interface WeeklyTable {
  table: string;
  /** UUIDv7 column that determines the week; part of the primary key. */
  id: string;
  /** Creation time by the database's clock. */
  at: string;
  /** Minimum age of a week to drop, enforced in the database. */
  leastDays: number;
  /** Whether rows belong to Spaces: row-level security is forced on each week too. */
  isOfSpaces: boolean;
}

/** Partition of everything before the first week. Its rows expire one by one until it can be dropped. */
export const beforeOf = ({ table }: WeeklyTable): string => `${table}_p_before`;
/** Default partition: rows of a week that was dropped or not created in time. Inserts never fail. */
export const restOf = ({ table }: WeeklyTable): string => `${table}_p_rest`;

/** Weeks created in advance, so that the job may be down for most of that time. */
export const FUTURE_WEEKS = 4;
