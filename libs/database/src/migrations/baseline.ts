import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Migration } from '../options';

/** The release whose schema the baselines create. */
export const BASELINE_RELEASE = '0.1.0';

/** The first migration of a service: its whole schema as of 0.1.0. */
export abstract class Baseline implements MigrationInterface {
  abstract up(runner: QueryRunner): Promise<void>;

  down(): Promise<void> {
    return Promise.reject(new Error('The baseline is the whole schema: drop the schema instead.'));
  }
}

/** `replaces`: the last migration of the service in 0.1.0. A database that has it has the schema of the baseline. */
export type BaselineMigration = Migration & { readonly replaces: string };

/** The last migration of 0.1.0 in every service. It ran after those of the service. */
const LAST_OF_ALL = 'ShowLostWork1700000000506';

const isBaseline = (migration: Migration): migration is BaselineMigration => 'replaces' in migration;

/**
 * Marks the baseline as applied in a database of 0.1.0. The rows of 0.1.0 stay, so its processes can be rolled back to.
 * Refuses a database from before 0.1.0. The caller has the lock of migrations.
 */
export async function adoptBaseline(
  runner: QueryRunner,
  { service, migrations }: { service: string; migrations: readonly Migration[] },
): Promise<void> {
  const baseline = migrations.find(isBaseline);
  if (baseline === undefined) return;
  const applied = await appliedMigrations(runner);
  if (applied.size === 0 || applied.has(baseline.name)) return;
  if (!applied.has(baseline.replaces) || !applied.has(LAST_OF_ALL))
    throw new Error(
      `The database of ${service} is from before ${BASELINE_RELEASE}. Upgrade it to ${BASELINE_RELEASE} first, then to this version.`,
    );
  await runner.query('insert into migrations (timestamp, name) values ($1, $2)', [
    baseline.name.slice(-13),
    baseline.name,
  ]);
}

/** Names of the migrations that a schema has. */
export async function appliedMigrations(runner: { query(sql: string): Promise<unknown> }): Promise<Set<string>> {
  const [found] = (await runner.query(`select to_regclass('migrations') is not null as there`)) as { there: boolean }[];
  if (found?.there !== true) return new Set();
  const rows = (await runner.query('select name from migrations')) as { name: string }[];
  return new Set(rows.map(({ name }) => name));
}
