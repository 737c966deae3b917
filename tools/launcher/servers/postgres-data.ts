import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Home } from '../home/home';
import { type Outcome, runToEnd } from '../processes/transient';
import type { Progress } from '../progress';
import { StopSentence } from '../stop-sentence';
import { canReach, giveTo, type SystemUser, unprivilegedUser } from './unprivileged-user';

export interface PostgresData {
  /** Parent of the data folder, owned by the user that the server runs as. */
  folder: string;
  data: string;
  isNew: boolean;
}

export const databaseName = 'switchyard';

/** The data folder, made with initdb when this home has none yet. */
export async function preparePostgresData(
  home: Home,
  binaries: { initdb: string; postgres: string },
  options: { user: SystemUser | undefined; password: string; progress: Progress },
): Promise<PostgresData> {
  const folder = dataFolder(home, options.user);
  const data = path.join(folder, 'data');
  // Its parents are anybody's to pass through: the server's own user must.
  mkdirSync(path.dirname(folder), { recursive: true, mode: 0o755 });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  giveTo(folder, options.user);
  const marker = path.join(folder, 'complete');
  if (existsSync(marker)) return { folder, data, isNew: false };
  options.progress.step('creating the database cluster');
  rmSync(data, { recursive: true, force: true });
  const passwordFile = path.join(folder, 'password');
  writeFileSync(passwordFile, options.password, { mode: 0o600 });
  giveTo(passwordFile, options.user);
  // Bytewise order is the same on every machine; letters still know their upper and lower case.
  const locales = [['--lc-collate=C', '--lc-ctype=C.UTF-8'], ['--no-locale']];
  try {
    for (const [index, locale] of locales.entries()) {
      const outcome = await runInitdb(binaries.initdb, data, passwordFile, locale, folder, options.user);
      if (outcome.code === 0) {
        await createDatabase(binaries.postgres, data, folder, options.user);
        writeFileSync(marker, '');
        return { folder, data, isNew: true };
      }
      rmSync(data, { recursive: true, force: true });
      if (index === locales.length - 1)
        throw new StopSentence(`Postgres could not create its data in ${data}:\n${outcome.stderr.trim()}`);
    }
  } finally {
    rmSync(passwordFile, { force: true });
  }
  throw new Error('unreachable: every locale either worked or failed');
}

/** In the home, unless the server's own user could not get there (a home below /root, say). */
export function dataFolder(home: Home, user: SystemUser | undefined): string {
  const inHome = home.file('postgres');
  if (!user || canReach(inHome, user)) return inHome;
  const name = createHash('sha256').update(home.directory).digest('hex').slice(0, 16);
  return path.join('/var/lib/switchyard', name);
}

export const relayJournalFolder = (home: Home): string =>
  path.join(dataFolder(home, unprivilegedUser()), 'relay-journal');

function runInitdb(
  initdb: string,
  data: string,
  passwordFile: string,
  locale: string[],
  cwd: string,
  user: SystemUser | undefined,
): Promise<Outcome> {
  const auth = ['--auth-host=scram-sha-256', '--auth-local=scram-sha-256', `--pwfile=${passwordFile}`];
  const args = ['-D', data, '-U', 'switchyard', '-E', 'UTF8', ...locale, ...auth, '--no-sync', '--data-checksums'];
  return runAs(initdb, args, { cwd, user });
}

/** In single-user mode, so that nothing but the server itself is needed. */
async function createDatabase(
  postgres: string,
  data: string,
  cwd: string,
  user: SystemUser | undefined,
): Promise<void> {
  const input = `create database ${databaseName};\n`;
  const outcome = await runAs(postgres, ['--single', '-D', data, 'postgres'], { cwd, user, input });
  if (outcome.code !== 0) throw new StopSentence(`Postgres could not create its database:\n${outcome.stderr.trim()}`);
}

function runAs(
  command: string,
  args: string[],
  options: { cwd: string; user: SystemUser | undefined; input?: string },
): Promise<Outcome> {
  const { cwd, input, user } = options;
  return runToEnd(command, args, { cwd, input, env: { PATH: process.env.PATH, LC_ALL: 'C' }, ...user });
}
