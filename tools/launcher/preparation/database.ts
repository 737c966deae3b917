// Run as a process of its own, so that the launcher itself stays small: makes schemas, logins and tables, and answers with
// the URL of each service's login.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type ServiceMigrations, migrateAll, prepareDatabase, serviceUrl } from '@switchyard/database';

interface Input {
  adminUrl: string;
  services: { service: string; password: string }[];
}

async function prepare({ adminUrl, services }: Input): Promise<void> {
  await prepareDatabase(adminUrl, services);
  const withMigrations = services.map(async ({ service }) => ({ service, migrations: await migrationsOf(service) }));
  await migrateAll(adminUrl, await Promise.all(withMigrations));
  const urls = Object.fromEntries(services.map((login) => [login.service, serviceUrl(adminUrl, login)]));
  process.stdout.write(JSON.stringify(urls));
}

async function migrationsOf(service: string): Promise<ServiceMigrations['migrations']> {
  const file = path.join(__dirname, '../../../apps', service, 'src/db/migrations/index.js');
  if (!existsSync(file)) return [];
  const module = (await import(file)) as { migrations: ServiceMigrations['migrations'] };
  return module.migrations;
}

prepare(JSON.parse(readFileSync(0, 'utf8')) as Input).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
