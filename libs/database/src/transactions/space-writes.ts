import { type Rows, type Statement, failedStatement } from '../client/one-trip';

/** What is written in one Space, beside what others write in theirs. */
export interface SpaceWrites {
  spaceId: string;
  writes: readonly Statement[];
}

/**
 * Lets a transaction of several callers fail early. A statement that waits for a lock or is slow must not delay the
 * others in it: all are rolled back, and their sender retries each alone, with the usual timeouts. This also ends a
 * deadlock before Postgres looks for one.
 */
export const shortTimeouts: Statement = {
  name: 'short-timeouts',
  sql: `select set_config('lock_timeout', '100ms', true), set_config('statement_timeout', '2s', true)`,
  params: [],
};

/** From here to the end of the transaction, or to the next of these, row-level security shows this Space and no other. */
export const inSpace = (spaceId: string): Statement => ({
  name: 'in-space',
  sql: `select set_config('app.space_id', $1, true)`,
  params: [spaceId],
});

interface Trip {
  statements: Statement[];
  /** Where those of each part begin. */
  begins: number[];
}

/** All statements in one list, each behind its Space. */
export function inOneTrip(parts: readonly SpaceWrites[]): Trip {
  const trip: Trip = { statements: [], begins: [] };
  for (const [at, { spaceId, writes }] of parts.entries()) {
    if (parts[at - 1]?.spaceId !== spaceId) trip.statements.push(inSpace(spaceId));
    trip.begins.push(trip.statements.length);
    trip.statements.push(...writes);
  }
  return trip;
}

/** Of the answers to such a list, those of each part. */
export const answersOf = (parts: readonly SpaceWrites[], { begins }: Trip, rows: readonly Rows[]): Rows[][] =>
  parts.map(({ writes }, at) => rows.slice(begins[at], (begins[at] ?? 0) + writes.length));

/** The part that broke the trip, where one of its statements did. */
export function failedPart(error: unknown, parts: readonly SpaceWrites[]): SpaceWrites | undefined {
  const failed = failedStatement(error);
  if (failed === undefined) return undefined;
  // Before all of them stands what opens the door.
  const at = failed - 1;
  return parts[inOneTrip(parts).begins.findLastIndex((begin) => begin <= at)];
}
