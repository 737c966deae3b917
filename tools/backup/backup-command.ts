import { chmodSync, copyFileSync, existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { dropSchemas } from '@switchyard/database';
import { type Home, openHome } from '../launcher/home/home';
import { lockHome } from '../launcher/home/lock';
import { type Secrets, loadSecrets } from '../launcher/home/secrets';
import { Platform } from '../launcher/platform';
import { runToEnd } from '../launcher/processes/transient';
import { Progress } from '../launcher/progress';
import { projectRoot } from '../launcher/project-root';
import { provideBinaries } from '../launcher/servers/install';
import { SERVICES } from '../launcher/service-names';
import { StopSentence } from '../launcher/stop-sentence';
import { writeBackupMetric } from './backup-metric';
import { parseBackupOptions } from './backup-options';
import { postgresOf, runningDatabase } from './running-postgres';

const progress = new Progress();

async function run(command: string, args: string[], what: string): Promise<void> {
  const { code, stderr } = await runToEnd(command, args, { env: { PATH: process.env.PATH, LC_ALL: 'C' } });
  if (code !== 0) throw new StopSentence(`could not ${what}:\n${stderr.trim()}`);
}

/** Works with a home's database while nothing but its servers run. */
async function withServers<T>(home: Home, secrets: Secrets, work: (databaseUrl: string) => Promise<T>): Promise<T> {
  const unlock = lockHome(home);
  const platform = new Platform({
    home,
    secrets,
    environment: { ...process.env, SIMULATOR_URL: 'http://127.0.0.1:1' },
    services: [],
    gatewayHost: '127.0.0.1',
    gatewayPort: 0,
    natsApiPort: 0,
    install: false,
    progress,
    print: () => undefined,
  });
  try {
    await platform.start();
    return await work(platform.endpoints.databaseUrl);
  } finally {
    await platform.stop();
    unlock();
  }
}

async function save(home: Home, folder: string): Promise<void> {
  const secrets = loadSecrets(home, process.env);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { pg_dump: pgDump } = await provideBinaries(['pg_dump'], { install: false, progress });
  const dump = path.join(folder, 'switchyard.dump');
  const write = (url: string): Promise<void> =>
    run(pgDump, ['--format=custom', `--file=${dump}`, `--dbname=${url}`], 'dump the database');
  const running = process.env.DATABASE_URL || runningDatabase(home, secrets);
  await (running ? write(running) : withServers(home, secrets, write));
  chmodSync(dump, 0o600);
  copyFileSync(home.file('secrets.json'), path.join(folder, 'secrets.json'));
  progress.step(`saved ${(statSync(dump).size / 1024 / 1024).toFixed(1)} MiB to ${folder}`);
}

async function restore(directory: string, folder: string): Promise<void> {
  const dump = path.join(folder, 'switchyard.dump');
  const stored = path.join(folder, 'secrets.json');
  for (const file of [dump, stored]) if (!existsSync(file)) throw new StopSentence(`${file} is not there.`);
  const home = openHome(directory);
  if (existsSync(home.file('secrets.json')) || existsSync(postgresOf(home)))
    throw new StopSentence(`${directory} is a home already. Restore into a new one.`);
  copyFileSync(stored, home.file('secrets.json'));
  const secrets = loadSecrets(home, process.env);
  const { pg_restore: pgRestore } = await provideBinaries(['pg_restore'], { install: false, progress });
  const flags = ['--no-owner', '--single-transaction', '--exit-on-error'];
  await withServers(home, secrets, async (url) => {
    // Roles and schemas are made as for any start; what the dump has takes the place of the empty schemas.
    await dropSchemas(url, SERVICES);
    await run(pgRestore, [...flags, `--dbname=${url}`, dump], 'restore the database');
  });
  progress.step(`restored into ${home.directory}; now: SWITCHYARD_HOME=${home.directory} npm start`);
}

async function main(): Promise<void> {
  const { action, home, folder, metric } = parseBackupOptions(process.argv.slice(2));
  const directory = path.resolve(projectRoot, home);
  if (action === 'restore') return restore(directory, path.resolve(folder));
  if (!existsSync(path.join(directory, 'secrets.json')))
    throw new StopSentence(`${directory} is no home of a platform.`);
  await save(openHome(directory), path.resolve(folder));
  if (metric !== undefined) writeBackupMetric(path.resolve(metric), new Date());
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof StopSentence ? error.message : error);
    process.exit(1);
  },
);
