import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { AdminDatabase, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const main = path.join(__dirname, '../../../dist/apps/key/src/main.js');
const started: { child: ChildProcess; output: () => string }[] = [];

/** The first container of a pod: it knows the database's login of its service, and nothing else. */
function awaitMigrations(databaseUrl: string): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, [main, 'await-migrations'], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const one = { child, output: () => text };
  started.push(one);
  return one;
}

afterAll(() => {
  for (const { child } of started) child.kill('SIGKILL');
});

describe('await-migrations', () => {
  it('ends at once when the tables are those of this version', async () => {
    const { child, output } = awaitMigrations(platform.state.databaseLogins['key'] ?? '');
    await until(() => child.exitCode !== null, { timeoutMs: 60_000 });
    expect([child.exitCode, output()]).toEqual([0, '']);
  });

  it('waits, and says for what, where they are not', async () => {
    const url = new URL(platform.state.databaseLogins['key'] ?? '');
    url.pathname = '/postgres';
    const { child, output } = awaitMigrations(url.toString());
    await until(() => output().includes('key waits for'), { timeoutMs: 60_000 });
    expect(child.exitCode).toBeNull();
  });

  it('says whether a migration is running', async () => {
    const at = (address: string): string => {
      const url = new URL(address);
      url.pathname = '/postgres';
      return url.toString();
    };
    const { output } = awaitMigrations(at(platform.state.databaseLogins['key'] ?? ''));
    await until(() => output().includes('no migration is connected to the database; see the log of the Job migrate'), {
      timeoutMs: 60_000,
    });
    const session = new URL(at(platform.state.databaseUrl));
    session.searchParams.set('application_name', 'switchyard migrate');
    const migration = new AdminDatabase(() => session.href);
    await migration.query('select 1');
    await until(() => output().includes('a migration is running'), { timeoutMs: 60_000 });
    await migration.close();
  });

  it('says that the migration makes the login, where it does not exist yet', async () => {
    const url = new URL(platform.state.databaseLogins['key'] ?? '');
    url.username = 'not_made_yet';
    const { output } = awaitMigrations(url.toString());
    await until(() => output().includes('the migration makes this login'), { timeoutMs: 60_000 });
  });
});
