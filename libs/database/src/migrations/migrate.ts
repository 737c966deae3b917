import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import { Migration, schemaOfService } from '../options';
import { messagingMigrations } from './messaging-tables';
import { Servers } from '../client/servers/servers';
import { writingClient } from '../client/servers/writing-client';
import { retryWhileLocked } from './online';

export interface ServiceMigrations {
  service: string;
  migrations: readonly Migration[];
}

const LOCK_POLL_MS = 250;
/**
 * Schema changes wait no longer for a lock, because everybody else waits behind them, and are tried again. It is longer
 * than the default `deadlock_timeout` of 1 s, after which Postgres cancels an autovacuum that stands in the way.
 */
const LOCK_WAIT_MS = 1300;

/** Brings one service's schema up to date. Several runners may start at once: one works, the others wait. */
export async function migrate(adminUrl: string, { service, migrations }: ServiceMigrations): Promise<string[]> {
  const schema = schemaOfService(service);
  const { DataSource: Source } = await import('typeorm');
  const servers = new Servers(adminUrl, 'switchyard migrate');
  const source = new Source({
    type: 'postgres',
    url: servers.last,
    schema,
    migrations: [...messagingMigrations, ...migrations],
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    installExtensions: false,
    // One for the lock, one for the migrations, and one for a migration that needs a second.
    poolSize: 3,
    extra: {
      ...(servers.areSeveral ? { Client: writingClient(servers) } : {}),
      options: `-c search_path="${schema}",public -c lock_timeout=${LOCK_WAIT_MS}`,
    },
  });
  await source.initialize();
  const lock = source.createQueryRunner();
  try {
    await onlyOne(lock, schema);
    return await runAll(source);
  } finally {
    await lock.query('select pg_advisory_unlock_all()').catch(() => undefined);
    await lock.release();
    await source.destroy();
  }
}

/**
 * By asking again and again: a statement that waits for the lock has a snapshot, which a concurrent build of an index
 * in the process that has the lock would wait for.
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

/** What was done before a lock could not be had is done, and named in the end as well. */
async function runAll(source: DataSource): Promise<string[]> {
  const names = async (): Promise<Set<string>> => {
    const [found] = await source.query<{ there: boolean }[]>(`select to_regclass('migrations') is not null as there`);
    if (found?.there !== true) return new Set();
    const rows = await source.query<{ name: string }[]>('select name from migrations');
    return new Set(rows.map((row) => row.name));
  };
  const before = await names();
  await retryWhileLocked(() => source.runMigrations());
  return [...(await names())].filter((name) => !before.has(name));
}

/** All services in one go, one after the other. */
export async function migrateAll(adminUrl: string, services: readonly ServiceMigrations[]): Promise<string[]> {
  const done: string[] = [];
  for (const service of services)
    done.push(...(await migrate(adminUrl, service)).map((name) => `${service.service}: ${name}`));
  return done;
}
