import { SERVICES } from '@switchyard/contracts';
import { AdminDatabase, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

/** Tables that belong to no Space. A new one is a decision, and is written down here. */
const OF_NO_SPACE = new Set([
  'key.users',
  'key.external_identities',
  'key.signing_keys',
  'key.account_events',
  // Of persons: how they set a new password, and how many Spaces they have made.
  'key.password_resets',
  'key.space_makers',
  // The number of the list of NATS users of all Spaces.
  'key.nats_revision',
  // Which processes of the relay are alive.
  'relay.holders',
  // By which relays know their files of a journal.
  'relay.database_identity',
  ...SERVICES.map((service) => service.replaceAll('-', '_')).flatMap((schema) =>
    // Dead letters and lost work are listed for operators alone; their rows say which Space they came from.
    ['outbox', 'inbox', 'inbox_failure', 'dead_letter', 'lost_work', 'running_work', 'migrations'].map(
      (table) => `${schema}.${table}`,
    ),
  ),
]);

/** References to tables that belong to no Space themselves, and so cannot lead with one. */
const MAY_REFERENCE = new Set(['key.users']);

/** Unique on the whole platform: tokens of subjects, and keys of users, on the one NATS server for services. */
const UNIQUE_EVERYWHERE = new Set(['nats_accounts_by_account_id', 'nats_user_keys_one_of_each']);

const SCHEMAS = SERVICES.map((service) => service.replaceAll('-', '_'));

interface Policy {
  using: string | null;
  check: string | null;
  roles: string[];
  command: string;
}

interface Table {
  name: string;
  oid: number;
  isForced: boolean;
  hasSpace: boolean;
  policies: Policy[];
}

/** One statement, so one snapshot: other tests make datasets meanwhile, and each is a table with its policies. */
const tables = (): Promise<(Table & Record<string, unknown>)[]> =>
  platform.database.query(
    `select n.nspname || '.' || c.relname as name, c.oid::int as oid, c.relrowsecurity and c.relforcerowsecurity as "isForced",
            exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'space_id' and not a.attisdropped) as "hasSpace",
            (select coalesce(jsonb_agg(jsonb_build_object('using', p.qual, 'check', p.with_check, 'roles', p.roles, 'command', p.cmd)), '[]')
             from pg_policies p where p.schemaname = n.nspname and p.tablename = c.relname) as policies
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname = any($1) order by 1`,
    [SCHEMAS],
  );

const ofSpaces = async (): Promise<Table[]> =>
  (await tables()).filter((table) => table.hasSpace && !OF_NO_SPACE.has(table.name));

describe('the catalogue of every service', () => {
  it('knows every table that belongs to no Space', async () => {
    const others = (await tables()).filter((table) => !table.hasSpace).map((table) => table.name);
    expect(others.filter((name) => !OF_NO_SPACE.has(name) && !isPartitionOf(name, OF_NO_SPACE))).toEqual([]);
    expect((await ofSpaces()).length).toBeGreaterThan(5);
  });

  it('forces row-level security on every table of Spaces', async () => {
    expect((await ofSpaces()).filter((table) => !table.isForced).map((table) => table.name)).toEqual([]);
  });

  it('has a policy for reading and one for writing, both by the Space, for the role of the service', async () => {
    const wrong: string[] = [];
    for (const { name, policies } of await ofSpaces()) {
      const forService = policies.filter((policy) => policy.roles.every((role) => !role.endsWith('_system')));
      const bySpace = (expression: string | null): boolean =>
        expression?.includes(`space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid`) ===
        true;
      const isRight =
        forService.length === 1 &&
        forService.every((policy) => policy.command === 'ALL' && bySpace(policy.using) && bySpace(policy.check));
      if (!isRight) wrong.push(name);
    }
    expect(wrong).toEqual([]);
  });

  it('leads every primary key, unique index and foreign key of a table of Spaces with the Space', async () => {
    const rows = await platform.database.query<{
      table: string;
      key: string;
      columns: string[];
      target: string | null;
    }>(
      `select n.nspname || '.' || c.relname as "table", k.name as key, k.columns, k.target
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       join lateral (
         select i.relname as name, null as target,
                array(select a.attname::text from unnest(x.indkey::int[]) with ordinality u (n, o)
                      join pg_attribute a on a.attrelid = c.oid and a.attnum = u.n order by u.o) as columns
         from pg_index x join pg_class i on i.oid = x.indexrelid where x.indrelid = c.oid and x.indisunique
         union all
         select f.conname, f.confrelid::regclass::text,
                array(select a.attname::text from unnest(f.conkey) with ordinality u (n, o)
                      join pg_attribute a on a.attrelid = c.oid and a.attnum = u.n order by u.o)
         from pg_constraint f where f.conrelid = c.oid and f.contype = 'f'
       ) k on true
       where n.nspname = any($1) and c.relkind in ('r', 'p')
         and exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'space_id' and not a.attisdropped)`,
      [SCHEMAS],
    );
    expect(rows.length).toBeGreaterThan(10);
    const wrong = rows.filter(
      (row) =>
        row.columns[0] !== 'space_id' &&
        !OF_NO_SPACE.has(row.table) &&
        !UNIQUE_EVERYWHERE.has(row.key) &&
        !(row.target !== null && MAY_REFERENCE.has(row.target)),
    );
    expect(wrong).toEqual([]);
  });

  it('has an index behind every reference, so that no deletion reads the whole table of all Spaces', async () => {
    const references = (condition: string): Promise<{ name: string }[]> =>
      platform.database.query(
        `select f.conrelid::regclass::text || ' ' || pg_get_constraintdef(f.oid) as name
         from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_namespace n on n.oid = c.relnamespace
         where f.contype = 'f' and n.nspname = any($1) and ${condition} order by 1`,
        [SCHEMAS],
      );
    expect((await references('true')).length).toBeGreaterThan(10);
    const without = await references(
      `not exists (select 1 from pg_index x where x.indrelid = f.conrelid and x.indisvalid and x.indpred is null
                   and (x.indkey::int2[])[0 : cardinality(f.conkey) - 1] @> f.conkey)`,
    );
    expect(without).toEqual([]);
  });

  it('gives no service a role that passes by row-level security, or that owns a table', async () => {
    const roles = await platform.database.query(
      `select rolname from pg_roles r where (rolsuper or rolbypassrls or rolcreaterole)
       and exists (select 1 from information_schema.role_table_grants g where g.grantee = r.rolname and g.table_schema = any($1))
       and r.rolname <> current_user`,
      [SCHEMAS],
    );
    expect(roles).toEqual([]);
    const logins = Object.values(platform.state.databaseLogins).map((url) => decodeURIComponent(new URL(url).username));
    const owned = await platform.database.query('select tablename from pg_tables where tableowner = any($1)', [logins]);
    expect(owned).toEqual([]);
  });

  it('lets no service look into the schema of another', async () => {
    const rows = await platform.database.query<{ grantee: string; schema: string }>(
      `select distinct g.grantee, g.table_schema as schema from information_schema.role_table_grants g
       where g.table_schema = any($1) and g.grantee <> current_user and g.grantee not in ('postgres', 'PUBLIC')`,
      [SCHEMAS],
    );
    expect(
      rows.filter(({ grantee, schema }) => !grantee.endsWith(`_${schema}`) && !grantee.endsWith(`_${schema}_system`)),
    ).toEqual([]);
  });
});

const isPartitionOf = (name: string, parents: ReadonlySet<string>): boolean =>
  [...parents].some((parent) => name.startsWith(`${parent}_p`));

describe("a service's own login", () => {
  it('sees no row of a table of Spaces without a Space', async () => {
    await platform.newSpace();
    const own = new AdminDatabase(() => platform.state.databaseLogins.key ?? '');
    try {
      for (const table of [
        'spaces',
        'members',
        'api_keys',
        'api_key_values',
        'sign_ins',
        'refresh_tokens',
        'space_events',
      ]) {
        expect(await own.query(`select 1 from key.${table} limit 1`)).toEqual([]);
      }
    } finally {
      await own.close();
    }
  });
});
