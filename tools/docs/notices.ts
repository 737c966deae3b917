import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../launcher/project-root';

interface LockedPackage {
  version?: string;
  license?: string;
  link?: boolean;
  dev?: boolean;
  devOptional?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

export interface Lockfile {
  packages: Record<string, LockedPackage>;
}

const CONSOLE = 'apps/console';
const FOLDER = 'node_modules/';
/** They build the console and are not part of it. */
const CONSOLE_BUILD = /^(?:@types\/|@vitejs\/|@tailwindcss\/|vite$|tailwindcss$)/;
/** Packages whose license stands in a field that the lockfile does not copy. */
const LICENSES: Record<string, string> = { 'passport-strategy': 'MIT', pause: 'MIT' };

const nameOf = (key: string): string => key.slice(key.lastIndexOf(FOLDER) + FOLDER.length);

/** As Node finds a package: in the folder of the one that needs it, or in one above. */
function resolved({ packages }: Lockfile, from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const key = `${folder === '' ? '' : `${folder}/`}${FOLDER}${name}`;
    if (packages[key]) return key;
    if (folder === '') return null;
  }
}

function packagesOfConsole(lockfile: Lockfile): string[] {
  const found = new Set<string>();
  const visit = (from: string, names: string[]): void => {
    for (const name of names) {
      const key = resolved(lockfile, from, name);
      if (key === null || found.has(key)) continue;
      found.add(key);
      const { dependencies, optionalDependencies, peerDependencies } = lockfile.packages[key] ?? {};
      const needed = { ...dependencies, ...optionalDependencies, ...peerDependencies };
      visit(
        key,
        Object.keys(needed).filter((each) => !CONSOLE_BUILD.test(each)),
      );
    }
  };
  const named = Object.keys(lockfile.packages[CONSOLE]?.devDependencies ?? {});
  visit(
    CONSOLE,
    named.filter((name) => !CONSOLE_BUILD.test(name)),
  );
  return [...found];
}

const packagesOfServices = ({ packages }: Lockfile): string[] =>
  Object.entries(packages)
    .filter(([key, { link, dev, devOptional }]) => key.includes(FOLDER) && !link && !dev && !devOptional)
    .map(([key]) => key);

/** Every package that a release contains, with its license. */
export function shippedPackages(lockfile: Lockfile): { name: string; version: string; license: string }[] {
  const keys = [...new Set([...packagesOfServices(lockfile), ...packagesOfConsole(lockfile)])];
  const rows = keys.map((key) => {
    const name = nameOf(key);
    const { version = '', license = LICENSES[name] ?? '' } = lockfile.packages[key] ?? {};
    return { name, version, license: license.replace('Apache 2.0', 'Apache-2.0') };
  });
  const unique = new Map(rows.map((row) => [`${row.name} ${row.version}`, row]));
  return [...unique.values()].sort((a, b) =>
    a.name === b.name ? (a.version < b.version ? -1 : 1) : a.name < b.name ? -1 : 1,
  );
}

const lockfileOf = (root: string): Lockfile =>
  JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as Lockfile;

/** THIRD-PARTY-NOTICES.md */
export function noticesPage(lockfile: Lockfile = lockfileOf(projectRoot)): string {
  const shipped = shippedPackages(lockfile);
  const licenses = [...new Set(shipped.map(({ license }) => license))].sort();
  const count = (license: string): number => shipped.filter((row) => row.license === license).length;
  return [
    '# Third-party notices',
    '',
    '<!-- Generated from package-lock.json by `npm run docs`. -->',
    '',
    'A release of Switchyard contains these packages. The package on npm contains the text of its license.',
    '',
    '| License | Packages |',
    '| --- | --- |',
    ...licenses.map((license) => `| ${license} | ${count(license)} |`),
    '',
    '## Packages',
    '',
    '| Package | Version | License |',
    '| --- | --- | --- |',
    ...shipped.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`),
    '',
  ].join('\n');
}
