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
  await migrateAll(adminUrl, services.map(({ service }) => ({ service, migrations: migrationsOf(service) })));
  const urls = Object.fromEntries(services.map((login) => [login.service, serviceUrl(adminUrl, login)]));
  process.stdout.write(JSON.stringify(urls));
}

function migrationsOf(service: string): ServiceMigrations['migrations'] {
  const folder = path.join(__dirname, '../../../apps', service, 'src/db/migrations');
  if (!existsSync(path.join(folder, 'index.js'))) return [];
  return (require(folder) as { migrations: ServiceMigrations['migrations'] }).migrations;
}

prepare(JSON.parse(readFileSync(0, 'utf8')) as Input).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
