import { randomBytes } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { loginRole, migrate, pendingMigrations, prepareDatabase, serviceUrl, systemRole } from '@switchyard/database';
import { AdminDatabase, usePlatform } from '@switchyard/testing';
import { findBinary } from '../../launcher/servers/binaries';
import { runToEnd } from '../../launcher/processes/transient';
import { projectRoot } from '../../launcher/project-root';

const platform = usePlatform();
/** Dumps of what 0.1.0 installs, with the rows of its migrations. Partitions of weeks are left out. */
const SCHEMAS = path.join(__dirname, 'schemas-of-0.1.0');
const SERVICES = readdirSync(SCHEMAS).map((file) => path.basename(file, '.sql'));
const LAST_OF_ALL = 'ShowLostWork1700000000506';
const REFUSAL = /is from before 0\.1\.0\. Upgrade it to 0\.1\.0 first/;

type Migrations = Parameters<typeof migrate>[1]['migrations'];

/** As built. */
async function migrationsOf(service: string): Promise<Migrations> {
  const file = path.join(projectRoot, 'dist/apps', service, 'src/db/migrations/index.js');
  return ((await import(file)) as { migrations: Migrations }).migrations;
}

/** A database with the schema of one service. */
class Installation {
  readonly name = `baseline_${randomBytes(6).toString('hex')}`;
  readonly database = new AdminDatabase(() => this.url);
  readonly schema: string;

  constructor(private readonly service: string) {
    this.schema = service.replaceAll('-', '_');
  }

  get url(): string {
    const url = new URL(platform.state.databaseUrl);
    url.pathname = `/${this.name}`;
    return url.href;
  }

  private get login() {
    return { service: this.service, password: 'unused' };
  }

  create = (): Promise<unknown> => platform.database.query(`create database ${this.name}`);

  async restoreRelease(): Promise<void> {
    const roles = [systemRole(this.name, this.service), loginRole(this.name, this.service)];
    for (const role of roles) await this.database.query(`create role "${role}"`);
    const dump = readFileSync(path.join(SCHEMAS, `${this.service}.sql`), 'utf8').replaceAll('$DATABASE', this.name);
    await this.database.query(`set check_function_bodies = false; ${dump}`);
  }

  async migrate(): Promise<string[]> {
    await prepareDatabase(this.url, [this.login]);
    return migrate(this.url, { service: this.service, migrations: await migrationsOf(this.service) });
  }

  async pending(): Promise<string[]> {
    const own = { service: this.service, migrations: await migrationsOf(this.service) };
    return pendingMigrations(serviceUrl(this.url, this.login), own);
  }

  async applied(): Promise<string[]> {
    const rows = await this.database.query<{ name: string }>(`select name from "${this.schema}".migrations order by id`);
    return rows.map(({ name }) => name);
  }

  /** Statements of the schema, in any order. Blanks and quotes inside functions do not count. */
  async statements(): Promise<string[]> {
    const command = findBinary('pg_dump') ?? 'pg_dump';
    const { code, stdout, stderr } = await runToEnd(command, ['--schema-only', `--schema=${this.schema}`, '--no-owner', this.url]);
    if (code !== 0) throw new Error(stderr);
    return stdout
      .split(/\n\n--\n[^\n]*\n--\n\n/u)
      .flatMap((part) => (/^CREATE FUNCTION/u.test(part) ? [part] : part.split(/;\n/u)))
      .map((part) =>
        part
          .replaceAll(this.name, 'database')
          .replaceAll(`"${this.schema}"`, this.schema)
          .replaceAll(/FOR ROLE \S+ /gu, '')
          .replaceAll(/^(--|SET|\\|SELECT pg_catalog).*$/gmu, '')
          .replaceAll(/\s+/gu, ' ')
          .trim(),
      )
      .filter((part) => part !== '' && !/_p(?:\d{8}|_before)/u.test(part))
      .sort();
  }

  async end(): Promise<void> {
    await this.database.close();
    await platform.database.query(`drop database ${this.name} with (force)`);
  }
}

describe.each(SERVICES)('the baseline of %s', (service) => {
  let name: string;
  let later: string[];
  let release: Installation;

  beforeEach(async () => {
    [name = '', ...later] = (await migrationsOf(service)).map((migration) => migration.name);
    release = new Installation(service);
    await release.create();
    await release.restoreRelease();
  });
  afterEach(() => release.end());

  it('creates the schema of 0.1.0, and is taken as applied where 0.1.0 is installed', async () => {
    const fresh = new Installation(service);
    await fresh.create();
    try {
      expect(await fresh.migrate()).toEqual([name, ...later]);
      const before = await release.applied();
      expect(await release.migrate()).toEqual(later);
      // The rows of 0.1.0 stay: its processes, and its migration, find their own after a rollback.
      expect(await release.applied()).toEqual([...before, name, ...later]);
      expect(await release.migrate()).toEqual([]);
      expect(await release.applied()).toEqual([...before, name, ...later]);
      for (const installation of [fresh, release]) expect(await installation.pending()).toEqual([]);
      // 0.1.0 left this constraint unvalidated.
      if (service === 'dataset')
        await release.database.query('alter table dataset.imports validate constraint imports_phases');
      expect(await fresh.statements()).toEqual(await release.statements());
    } finally {
      await fresh.end();
    }
  });

  it('refuses a database from before 0.1.0, and changes nothing', async () => {
    const applied = await release.applied();
    const own = applied.filter((each) => each !== LAST_OF_ALL && !/00000000(?:000|50\d)$/u.test(each)).at(-1) ?? '';
    for (const missing of [own, LAST_OF_ALL]) {
      const [row] = await release.database.query<{ timestamp: string }>(
        `delete from "${release.schema}".migrations where name = $1 returning timestamp`,
        [missing],
      );
      await expect(release.migrate()).rejects.toThrow(REFUSAL);
      expect(await release.applied()).not.toContain(name);
      await release.database.query(`insert into "${release.schema}".migrations (timestamp, name) values ($1, $2)`, [
        row?.timestamp,
        missing,
      ]);
    }
    expect(await release.migrate()).toEqual(later);
  });
});
