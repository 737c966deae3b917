import { setTimeout as sleep } from 'node:timers/promises';
import { retry } from '@switchyard/concurrency';
import type { QueryRunner } from 'typeorm';

/**
 * A migration of tables that may be large and in use. Not in a transaction, so after a crash each step has to detect
 * its earlier work and continue.
 */
export abstract class OnlineMigration {
  readonly transaction = false;
}

/** Lock time-out of a schema change: everything else queues behind it. */
const LOCK_WAIT_MS = 400;
/**
 * Postgres cancels a conflicting autovacuum only after `deadlock_timeout`, so every fifth attempt waits longer than
 * that.
 */
const TRIES_PER_LONG_WAIT = 5;
const BEYOND_DEADLOCK_TIMEOUT_MS = 300;
const PAUSE_MS = 500;
const PATIENCE_MS = 600_000;

const codeOf = (error: unknown): string | undefined => (error as { code?: string } | undefined)?.code;

/** A lock time-out or a deadlock. */
export const isLockedOut = (error: unknown): boolean => codeOf(error) === '55P03' || codeOf(error) === '40P01';

/** Retries lock time-outs, with pauses for the waiting queries. */
export const retryWhileLocked = <T>(work: (attempt: number) => Promise<T>, patienceMs = PATIENCE_MS): Promise<T> =>
  retry(work, { withinMs: patienceMs, baseMs: PAUSE_MS, maxMs: PAUSE_MS, shouldRetry: isLockedOut });

/** Runs short schema changes in one transaction with a short lock time-out. */
export async function changeBriefly(runner: QueryRunner, change: () => Promise<void>): Promise<void> {
  await retryWhileLocked(async (attempt) => {
    const waitMs = attempt % TRIES_PER_LONG_WAIT === 0 ? await pastDeadlockTimeout(runner) : LOCK_WAIT_MS;
    await runner.startTransaction();
    try {
      await runner.query(`set local lock_timeout = ${waitMs}`);
      await change();
      await runner.commitTransaction();
    } catch (error) {
      await runner.rollbackTransaction();
      throw error;
    }
  });
}

async function pastDeadlockTimeout(runner: QueryRunner): Promise<number> {
  const [row] = (await runner.query(`select setting::int as ms from pg_settings where name = 'deadlock_timeout'`)) as {
    ms: number;
  }[];
  return (row?.ms ?? 1000) + BEYOND_DEADLOCK_TIMEOUT_MS;
}

/** As `changeBriefly`, for plain statements. */
export const alterBriefly = (runner: QueryRunner, ...statements: string[]): Promise<void> =>
  changeBriefly(runner, async () => {
    for (const statement of statements) await runner.query(statement);
  });

/**
 * Builds indexes concurrently; values are the text after `create index <name> `. Rebuilds those that a crash left
 * invalid, keeps valid ones.
 */
export async function buildIndexes(runner: QueryRunner, indexes: Readonly<Record<string, string>>): Promise<void> {
  await withoutLockTimeout(runner, async () => {
    for (const [name, definition] of Object.entries(indexes)) await buildIndex(runner, name, definition);
  });
}

export async function dropIndexes(runner: QueryRunner, ...names: string[]): Promise<void> {
  await withoutLockTimeout(runner, async () => {
    for (const name of names) await runner.query(`drop index concurrently if exists ${name}`);
  });
}

async function buildIndex(runner: QueryRunner, name: string, definition: string): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const state = await stateOf(runner, name);
    if (state === 'valid') return;
    // The session of a killed migration is still building it.
    if (state === 'building') await sleep(PAUSE_MS);
    else await unlessChangedByOthers(() => changeIndex(runner, name, definition, state), until);
  }
}

const changeIndex = (runner: QueryRunner, name: string, definition: string, state: 'invalid' | 'absent') =>
  runner.query(
    state === 'invalid' ? `drop index concurrently if exists ${name}` : `create ${asIndex(name, definition)}`,
  );

/** The session of a killed migration may be changing the same index; check again afterwards. */
async function unlessChangedByOthers(change: () => Promise<unknown>, until: number): Promise<void> {
  try {
    await change();
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    const isChanged = code === '42P07' || (code === 'XX000' && /concurrently/.test(message ?? ''));
    if (!isChanged || Date.now() > until) throw error;
    await sleep(PAUSE_MS);
  }
}

const asIndex = (name: string, definition: string): string =>
  definition.startsWith('unique ')
    ? `unique index concurrently ${name} ${definition.slice('unique '.length)}`
    : `index concurrently ${name} ${definition}`;

async function stateOf(runner: QueryRunner, name: string): Promise<'valid' | 'invalid' | 'building' | 'absent'> {
  const [row] = (await runner.query(
    `select i.indisvalid as valid, exists (select 1 from pg_stat_progress_create_index p where p.index_relid = i.indexrelid) as building
     from pg_index i where i.indexrelid = to_regclass($1)`,
    [name],
  )) as { valid: boolean; building: boolean }[];
  if (row === undefined) return 'absent';
  if (row.valid) return 'valid';
  return row.building ? 'building' : 'invalid';
}

/** A concurrent build waits for other transactions, but blocks none. */
export async function withoutLockTimeout(runner: QueryRunner, work: () => Promise<void>): Promise<void> {
  await runner.query('set lock_timeout = 0');
  try {
    await work();
  } finally {
    await runner.query('reset lock_timeout');
  }
}

/**
 * Repeats a statement that changes a limited number of rows (returned as `n`) until none is left, each time in its own
 * transaction.
 */
export async function inBatches(runner: QueryRunner, sql: string): Promise<void> {
  for (;;) {
    const [row] = (await retryWhileLocked(() => runner.query(sql))) as { n: number | string }[];
    if (Number(row?.n ?? 0) === 0) return;
  }
}

/**
 * Row-level security also applies to the owner, who would silently see no rows: unless the migration's role can bypass
 * it, it is off for the tables during `work`. No service owns a table.
 */
export async function asOwner(
  runner: QueryRunner,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const [role] = (await runner.query(
    'select rolsuper or rolbypassrls as bypasses from pg_roles where rolname = current_user',
  )) as { bypasses: boolean }[];
  const isRestricted = role?.bypasses !== true;
  const force = (how: string): Promise<void> =>
    alterBriefly(runner, ...tables.map((table) => `alter table ${table} ${how} row level security`));
  if (isRestricted) await force('no force');
  await work();
  if (isRestricted) await force('force');
}
