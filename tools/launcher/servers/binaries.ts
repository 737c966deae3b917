import { accessSync, constants, readdirSync } from 'node:fs';
import path from 'node:path';

export interface Binaries {
  postgres: string;
  initdb: string;
  /** For backups. */
  pg_dump: string;
  pg_restore: string;
  'nats-server': string;
  'redis-server': string;
  /** Only the tests of the console need a browser. */
  chromium: string;
  /** Only the tests of the alerts run Prometheus and Alertmanager. */
  promtool: string;
  amtool: string;
}

export type BinaryName = keyof Binaries;

/** Debian's package for each binary; Debian keeps Postgres out of the PATH. */
export const packageOf: Record<BinaryName, string> = {
  postgres: 'postgresql',
  initdb: 'postgresql',
  pg_dump: 'postgresql',
  pg_restore: 'postgresql',
  'nats-server': 'nats-server',
  'redis-server': 'redis-server',
  chromium: 'chromium-headless-shell',
  promtool: 'prometheus',
  amtool: 'prometheus-alertmanager',
};

/** The same browser without what only a window needs takes two fifths less processor time; a whole one does as well. */
const aliasesOf: Partial<Record<BinaryName, readonly string[]>> = { chromium: ['chromium-headless-shell', 'chromium'] };

export function findBinary(name: BinaryName): string | undefined {
  const inPath = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  const usual = ['/usr/local/bin', '/usr/bin', '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin'];
  const folders = [...inPath, ...usual, ...postgresFolders()];
  const files = (aliasesOf[name] ?? [name]).flatMap((alias) => folders.map((folder) => path.join(folder, alias)));
  return files.find(isExecutable);
}

/** Newest version first. */
function postgresFolders(): string[] {
  const parent = '/usr/lib/postgresql';
  try {
    const versions = readdirSync(parent).sort((a, b) => Number(b) - Number(a));
    return versions.map((version) => path.join(parent, version, 'bin'));
  } catch {
    return [];
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
