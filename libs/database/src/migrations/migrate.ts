import { Migration, schemaOfService } from '../options';
import { MessagingTables1700000000000 } from './messaging-tables';

export interface ServiceMigrations {
  service: string;
  migrations: readonly Migration[];
}

/** Brings one service's schema up to date. Several runners may start at once: one works, the others wait. */
export async function migrate(adminUrl: string, { service, migrations }: ServiceMigrations): Promise<string[]> {
  const schema = schemaOfService(service);
  const { DataSource } = await import('typeorm');
  const source = new DataSource({
    type: 'postgres',
    url: adminUrl,
    schema,
    migrations: [MessagingTables1700000000000, ...migrations],
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    installExtensions: false,
    poolSize: 2,
    extra: { options: `-c search_path="${schema}",public` },
  });
  await source.initialize();
  const lock = source.createQueryRunner();
  try {
    await lock.query('select pg_advisory_lock(73002, hashtext($1))', [schema]);
    const done = await source.runMigrations();
    return done.map((migration) => migration.name);
  } finally {
    await lock.query('select pg_advisory_unlock_all()').catch(() => undefined);
    await lock.release();
    await source.destroy();
  }
}

/** All services in one go, one after the other. */
export async function migrateAll(adminUrl: string, services: readonly ServiceMigrations[]): Promise<string[]> {
  const done: string[] = [];
  for (const service of services)
    done.push(...(await migrate(adminUrl, service)).map((name) => `${service.service}: ${name}`));
  return done;
}
