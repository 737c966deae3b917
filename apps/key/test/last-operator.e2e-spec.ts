import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { migrate, prepareDatabase, serviceUrl } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { AdminDatabase, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
type Migrations = Parameters<typeof migrate>[1]['migrations'];

/** A key database of its own. */
class Installation {
  readonly database = new AdminDatabase(() => this.url);
  readonly name = `operators_${randomBytes(6).toString('hex')}`;
  readonly login = { service: 'key', password: randomBytes(16).toString('hex') };

  get url(): string {
    const url = new URL(platform.state.databaseUrl);
    url.pathname = `/${this.name}`;
    return url.href;
  }

  async make(): Promise<void> {
    await platform.database.query(`create database ${this.name}`);
    await prepareDatabase(this.url, [this.login]);
    await migrate(this.url, { service: 'key', migrations: await this.migrations() });
  }

  async end(): Promise<void> {
    await this.database.close();
    await platform.database.query(`drop database ${this.name} with (force)`);
  }

  /** With its own Space where `space` names one that is not there yet. */
  async account(space: string, made: string, role = 'OWNER'): Promise<string> {
    const id = newId();
    await this.database.query(
      `insert into key.users (id, email, name, password_hash, created_at) values ($1, $2, 'x', 'a hash', $3)`,
      [id, `${id}@test.example`, made],
    );
    await this.database.query(
      `insert into key.spaces (space_id, id, name, sealed_webhook_secret, created_at) values ($1, $1, 'x', '', $2)
       on conflict do nothing`,
      [space, made],
    );
    await this.database.query(
      `insert into key.members (space_id, id, user_id, role, created_at) values ($1, $2, $3, $4, $5)`,
      [space, newId(), id, role, made],
    );
    return id;
  }

  async operators(): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>('select id from key.users where operator');
    return rows.map(({ id }) => id);
  }

  run(...args: string[]): Promise<{ code: number | null; err: string }> {
    return this.runWith({}, ...args);
  }

  async runWith(more: NodeJS.ProcessEnv, ...args: string[]): Promise<{ code: number | null; err: string }> {
    const env = {
      ...more,
      PATH: process.env['PATH'],
      DATABASE_URL: serviceUrl(this.url, this.login),
      KEY_PEPPERS: platform.state.secrets.keyPeppers,
    };
    const child = spawn(process.execPath, [path.resolve('dist/tools/operator/operator-command.js'), ...args], { env });
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
    return { code, err };
  }

  private async migrations(): Promise<Migrations> {
    const file = path.resolve('dist/apps/key/src/db/migrations/index.js');
    return ((await import(file)) as { migrations: Migrations }).migrations;
  }
}

describe('the last operator', () => {
  let installation: Installation;

  beforeEach(async () => {
    installation = new Installation();
    await installation.make();
  }, 60_000);

  afterEach(() => installation.end());

  it('stays as long as no other operator can sign in', async () => {
    const first = await installation.account(newId(), '2026-01-01T00:00:00Z');
    const other = await installation.account(newId(), '2026-01-02T00:00:00Z');
    await installation.database.query(
      'update key.users set operator = true, password_by_others = false where id = $1',
      [first],
    );
    const last = { code: 1, err: expect.stringContaining('last operator') };
    expect(await installation.run('revoke', first)).toMatchObject(last);
    expect(await installation.run('grant', other)).toMatchObject({ code: 1, err: expect.stringContaining('chose') });

    const set = (change: string): Promise<unknown> =>
      installation.database.query(`update key.users set ${change} where id = $1`, [other]);
    await set('password_by_others = false, operator = true, disabled_at = now()');
    expect(await installation.run('revoke', first)).toMatchObject(last);
    await set('disabled_at = null, password_hash = null');
    expect(await installation.run('revoke', first)).toMatchObject(last);
    await installation.database.query(
      `insert into key.external_identities (issuer, subject, user_id) values ('https://issuer.example', 's', $1)`,
      [other],
    );
    // An identity of an issuer that is not configured, or not any more, is no way to sign in.
    expect(await installation.run('revoke', first)).toMatchObject(last);
    const at = (issuer: string) => ({ OIDC_ISSUER: issuer, OIDC_AUDIENCE: 'switchyard' });
    expect(await installation.runWith(at('https://other.example'), 'revoke', first)).toMatchObject(last);
    expect(await installation.runWith(at('https://issuer.example'), 'revoke', first)).toMatchObject({ code: 0 });
    expect(await installation.run('revoke', other)).toMatchObject(last);
    expect(await installation.operators()).toEqual([other]);
  });
});
