import type { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import { schemaOfService } from '../options';
import { joinServers, serverUrls } from '../client/servers/server-urls';
import { oneWritingClient } from '../client/servers/connect-to-primary';

export interface ServiceLogin {
  service: string;
  password: string;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Roles are global to the server, so their names contain the database: platforms can share a server. */
export const loginRole = (database: string, service: string): string => `${database}_${schemaOfService(service)}`;
export const systemRole = (database: string, service: string): string => `${loginRole(database, service)}_system`;

/** The two roles of the migration's schema. */
export async function rolesOf(runner: QueryRunner): Promise<{ app: string; system: string }> {
  const [row] = (await runner.query('select current_database() as database, current_schema() as schema')) as {
    database: string;
    schema: string;
  }[];
  if (!row) throw new Error('no current schema');
  const app = loginRole(row.database, row.schema);
  return { app: quoted(app), system: quoted(`${app}_system`) };
}

async function ensureRole(admin: Client, role: string, attributes: string): Promise<void> {
  const found = await admin.query('select 1 from pg_roles where rolname = $1', [role]);
  await admin.query(`${found.rowCount ? 'alter' : 'create'} role ${quoted(role)} with ${attributes}`);
}

/**
 * Only for tables without any grant, as after a restore. Migrations may have revoked rights on others (append-only
 * ledgers), and partitions are only reached through their table.
 */
async function grantTables(admin: Client, service: string, role: string): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = $1 and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
        and not has_table_privilege($2, c.oid, 'select')`,
    [schemaOfService(service), role],
  );
  for (const { name } of rows) await admin.query(`grant select, insert, update, delete on ${name} to ${quoted(role)}`);
}

async function prepareService(admin: Client, database: string, { service, password }: ServiceLogin): Promise<void> {
  const schema = quoted(schemaOfService(service));
  const login = loginRole(database, service);
  const system = systemRole(database, service);
  await ensureRole(admin, system, 'nologin nosuperuser nobypassrls noinherit');
  await ensureRole(admin, login, `login nosuperuser nobypassrls noinherit password ${literal(password)}`);
  await admin.query(`grant ${quoted(system)} to ${quoted(login)}`);
  await admin.query(`create schema if not exists ${schema}`);
  for (const name of [login, system]) {
    const role = quoted(name);
    await admin.query(`grant usage on schema ${schema} to ${role}`);
    await grantTables(admin, service, name);
    await admin.query(`grant usage, select on all sequences in schema ${schema} to ${role}`);
    await admin.query(
      `alter default privileges in schema ${schema} grant select, insert, update, delete on tables to ${role}`,
    );
    await admin.query(`alter default privileges in schema ${schema} grant usage, select on sequences to ${role}`);
  }
}

/**
 * Creates each service's schema, login role and system role. Neither owns a table or bypasses row-level security; the
 * server refuses reads of another service's schema. Idempotent.
 */
export async function prepareDatabase(adminUrl: string, logins: readonly ServiceLogin[]): Promise<void> {
  const admin = oneWritingClient({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query('select pg_advisory_lock(73001)');
    const found = await admin.query<{ database: string }>('select current_database() as database');
    const database = found.rows[0]?.database ?? '';
    await admin.query(`revoke create on schema public from public`);
    for (const login of logins) await prepareService(admin, database, login);
  } finally {
    await admin.end();
  }
}

/** Before a restore: a dump creates its schemas, and pg_restore `--clean` cannot drop constraints of partitions. */
export async function dropSchemas(adminUrl: string, services: readonly string[]): Promise<void> {
  const admin = oneWritingClient({ connectionString: adminUrl });
  await admin.connect();
  try {
    const schemas = services.map((service) => quoted(schemaOfService(service)));
    await admin.query(`drop schema if exists ${schemas.join(', ')} cascade`);
  } finally {
    await admin.end();
  }
}

/** The service's login URL. */
export function serviceUrl(adminUrl: string, login: ServiceLogin): string {
  const urls = serverUrls(adminUrl).map((one) => {
    const url = new URL(one);
    url.username = encodeURIComponent(loginRole(decodeURIComponent(url.pathname.slice(1)), login.service));
    url.password = encodeURIComponent(login.password);
    return url.toString();
  });
  return joinServers(urls);
}
