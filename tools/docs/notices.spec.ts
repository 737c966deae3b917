import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../launcher/project-root';
import { type Lockfile, noticesPage, shippedPackages } from './notices';

const fileOf = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');
/** Licenses that allow use in a product without publishing its sources. */
const ACCEPTED = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Unlicense',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'MPL-2.0',
  'PSF-2.0',
  'Python-2.0',
]);

const lockfile: Lockfile = {
  packages: {
    '': {},
    'apps/console': { devDependencies: { shown: '1', vite: '8' } },
    'node_modules/runs': { version: '1.0.0', license: 'MIT' },
    'node_modules/runs/node_modules/within': { version: '2.0.0', license: 'ISC' },
    'node_modules/tested': { version: '1.0.0', license: 'MIT', dev: true },
    'node_modules/shown': { version: '1.0.0', license: 'MIT', dev: true, dependencies: { part: '1' } },
    'node_modules/shown/node_modules/part': { version: '3.0.0', license: 'ISC', dev: true },
    'node_modules/part': { version: '1.0.0', license: 'GPL-3.0', dev: true },
    'node_modules/vite': { version: '8.0.0', license: 'MIT', dev: true },
  },
};

test('a release contains the packages of the services and those that the console is made of', () => {
  expect(shippedPackages(lockfile).map(({ name, version }) => `${name} ${version}`)).toEqual([
    'part 3.0.0',
    'runs 1.0.0',
    'shown 1.0.0',
    'within 2.0.0',
  ]);
});

test('THIRD-PARTY-NOTICES.md is that of the lockfile (npm run docs writes it)', () => {
  expect(fileOf('THIRD-PARTY-NOTICES.md')).toBe(noticesPage());
});

test('every package of a release has a license that we accept', () => {
  const real = JSON.parse(fileOf('package-lock.json')) as Lockfile;
  expect(shippedPackages(real).filter(({ license }) => !ACCEPTED.has(license))).toEqual([]);
});
