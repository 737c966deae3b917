import 'reflect-metadata';
import { connectionLimit, migrateAll, prepareDatabase } from '@switchyard/database';
import { readConfig } from '@switchyard/service';
import { migrationsOf } from './migrations';
import { PrepareConfig } from './prepare-config';
import { makeStreams } from './streams';

const NO_LOGIN =
  'The Secret of the migration has no NATS_MIGRATION_SEED, so no stream was made or changed. Write the Secrets and the ' +
  'configuration of NATS of this version (kubernetes-secrets.js), load both, and run this again.';

/** Secrets of version 0.1 have no login for it: there the streams exist already. */
async function prepareStreams(environment: NodeJS.ProcessEnv): Promise<string[]> {
  return environment.NATS_MIGRATION_SEED ? makeStreams(environment) : [NO_LOGIN];
}

/** Roles, schemas and tables, as this version needs them. Safe to repeat, and several at once wait for each other. */
export async function prepare(adminUrl: string, passwords: Readonly<Record<string, string>>): Promise<string[]> {
  const logins = Object.entries(passwords).map(([service, password]) => ({ service, password }));
  await prepareDatabase(adminUrl, logins);
  return migrateAll(
    adminUrl,
    await Promise.all(logins.map(async ({ service }) => ({ service, migrations: await migrationsOf(service) }))),
  );
}

/** A warning if the pools of all services can open more connections than Postgres accepts. */
export async function connectionWarning(adminUrl: string, environment: NodeJS.ProcessEnv): Promise<string[]> {
  const { DATABASE_CONNECTIONS_PLANNED: planned } = readConfig(PrepareConfig, environment);
  if (planned === undefined) return [];
  const limit = await connectionLimit(adminUrl);
  if (planned <= limit) return [];
  return [
    `WARNING: the pools of all services can open ${planned} connections, and Postgres accepts ${limit}. Raise max_connections, ` +
      'or lower the most replicas of services or DATABASE_POOL_SIZE.',
  ];
}

/**
 * The Job `migrate` of a deployment:
 *
 *   node dist/tools/deploy/prepare.js     with DATABASE_ADMIN_URL and DATABASE_LOGINS (JSON: password by service),
 *                                         NATS_URL and NATS_MIGRATION_SEED; DATABASE_CONNECTIONS_PLANNED, if it is to
 *                                         be compared with max_connections
 */
if (require.main === module) {
  const adminUrl = process.env.DATABASE_ADMIN_URL ?? '';
  const passwords = JSON.parse(process.env.DATABASE_LOGINS ?? '{}') as Record<string, string>;
  prepare(adminUrl, passwords)
    .then((done) => {
      console.log(`${done.length} migrations ran`);
      return connectionWarning(adminUrl, process.env);
    })
    .then(async (warnings) => [...warnings, ...(await prepareStreams(process.env))])
    .then((lines) => {
      for (const line of lines) console.log(line);
    })
    .catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = 1;
    });
}
