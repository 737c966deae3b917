// Run as a process of its own, so that the launcher itself stays small: makes schemas, logins and tables, and answers with
// the URL of each service's login.
import { readFileSync } from 'node:fs';
import { adoptPassword, migrateAll, prepareDatabase, serviceUrl } from '@switchyard/database';
import { migrationsOf } from '../../deploy/migrations';

interface Input {
  adminUrl: string;
  /** A server of ours may still have this one. */
  previousPassword?: string;
  services: { service: string; password: string }[];
}

async function prepare({ adminUrl, previousPassword, services }: Input): Promise<void> {
  if (previousPassword !== undefined)
    await adoptPassword(adminUrl, decodeURIComponent(new URL(adminUrl).password), [previousPassword]);
  await prepareDatabase(adminUrl, services);
  const withMigrations = services.map(async ({ service }) => ({ service, migrations: await migrationsOf(service) }));
  await migrateAll(adminUrl, await Promise.all(withMigrations));
  const urls = Object.fromEntries(services.map((login) => [login.service, serviceUrl(adminUrl, login)]));
  process.stdout.write(JSON.stringify(urls));
}

prepare(JSON.parse(readFileSync(0, 'utf8')) as Input).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
