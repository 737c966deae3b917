import { type Rows, type Statement, failedStatement } from '../client/pipelined-batch';

/** Writes of one Space in a batch. */
export interface SpaceWrites {
  spaceId: string;
  writes: readonly Statement[];
}

/**
 * Fails a shared transaction early: a slow or blocked statement must not delay the others. All are rolled back, and
 * each is retried alone with the usual time-outs. Also ends deadlocks early.
 */
export const shortTimeouts: Statement = {
  name: 'short-timeouts',
  sql: `select set_config('lock_timeout', '100ms', true), set_config('statement_timeout', '2s', true)`,
  params: [],
};

/** Sets the Space for row-level security, until the end of the transaction or the next of these. */
export const inSpace = (spaceId: string): Statement => ({
  name: 'in-space',
  sql: `select set_config('app.space_id', $1, true)`,
  params: [spaceId],
});

interface Pipeline {
  statements: Statement[];
  /** Index of the first statement of each part. */
  begins: number[];
}

/** All statements in one list, each part after its Space. */
export function buildPipeline(parts: readonly SpaceWrites[]): Pipeline {
  const pipeline: Pipeline = { statements: [], begins: [] };
  for (const [at, { spaceId, writes }] of parts.entries()) {
    if (parts[at - 1]?.spaceId !== spaceId) pipeline.statements.push(inSpace(spaceId));
    pipeline.begins.push(pipeline.statements.length);
    pipeline.statements.push(...writes);
  }
  return pipeline;
}

/** The results of each part. */
export const answersOf = (parts: readonly SpaceWrites[], { begins }: Pipeline, rows: readonly Rows[]): Rows[][] =>
  parts.map(({ writes }, at) => rows.slice(begins[at], (begins[at] ?? 0) + writes.length));

/** The part whose statement failed. */
export function failedPart(error: unknown, parts: readonly SpaceWrites[]): SpaceWrites | undefined {
  const failed = failedStatement(error);
  if (failed === undefined) return undefined;
  // The first statement selects the role.
  const at = failed - 1;
  return parts[buildPipeline(parts).begins.findLastIndex((begin) => begin <= at)];
}
