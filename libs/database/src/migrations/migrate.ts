import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import { Migration, schemaOfService } from '../options';
import { adoptBaseline, appliedMigrations } from './baseline';
import { MIGRATION_SESSION } from './migration-session';
import { PrimaryServer } from '../client/servers/primary-server';
import { writingClient } from '../client/servers/connect-to-primary';
import { retryWhileLocked } from './online';

export interface ServiceMigrations {
  service: string;
  migrations: readonly Migration[];
}

const LOCK_POLL_MS = 250;
/**
 * Lock time-out of schema changes, since all later queries queue behind them; then they retry. Above `deadlock_timeout`
 * (1 s), after which Postgres cancels a conflicting autovacuum.
 */
const LOCK_WAIT_MS = 1300;

/** Migrates one service's schema. Concurrent runners wait for each other. */
export async function migrate(adminUrl: string, { service, migrations }: ServiceMigrations): Promise<string[]> {
  const schema = schemaOfService(service);
  const { DataSource: Source } = await import('typeorm');
  const primaryServer = new PrimaryServer(adminUrl, MIGRATION_SESSION);
  const source = new Source({
    type: 'postgres',
    url: primaryServer.last,
    schema,
    migrations: [...migrations],
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    installExtensions: false,
    // One for the lock, one for the migrations, one for a migration that needs a second.
    poolSize: 3,
    extra: {
      application_name: MIGRATION_SESSION,
      ...(primaryServer.areSeveral ? { Client: writingClient(primaryServer) } : {}),
      options: `-c search_path="${schema}",public -c lock_timeout=${LOCK_WAIT_MS}`,
    },
  });
  await source.initialize();
  const lock = source.createQueryRunner();
  try {
    await onlyOne(lock, schema);
    await adoptBaseline(lock, { service, migrations });
    return await runAll(source);
  } finally {
    await lock.query('select pg_advisory_unlock_all()').catch(() => undefined);
    await lock.release();
    await source.destroy();
  }
}

/**
 * Polls for the lock: a blocking statement has a snapshot, which a concurrent index build in the lock's holder would
 * wait for.
 */
async function onlyOne(lock: QueryRunner, schema: string): Promise<void> {
  for (;;) {
    const [row] = (await lock.query('select pg_try_advisory_lock(73002, hashtext($1)) as mine', [schema])) as {
      mine: boolean;
    }[];
    if (row?.mine === true) return;
    await sleep(LOCK_POLL_MS);
  }
}

/** Migrations that ran before a lock time-out are included in the result. */
async function runAll(source: DataSource): Promise<string[]> {
  const names = (): Promise<Set<string>> => appliedMigrations(source);
  const before = await names();
  await retryWhileLocked(() => source.runMigrations());
  return [...(await names())].filter((name) => !before.has(name));
}

/** All services, one after the other. */
export async function migrateAll(adminUrl: string, services: readonly ServiceMigrations[]): Promise<string[]> {
  const done: string[] = [];
  for (const service of services)
    done.push(...(await migrate(adminUrl, service)).map((name) => `${service.service}: ${name}`));
  return done;
}
