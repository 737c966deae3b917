import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CONTRACTS_VERSION } from '@switchyard/contracts';
import { projectRoot } from '../launcher/project-root';
import { version } from '../launcher/version';
import { PACKAGES, TEXTS, versionsIn } from '../release/version-files';

const read = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');
const manifest = (file: string): { version: string } => JSON.parse(read(file)) as { version: string };

describe('the version of the project', () => {
  it.each(PACKAGES.slice(1))('is the one of the package in %s', (folder) => {
    expect(manifest(`${folder}/package.json`).version).toBe(version);
  });

  it('is the one of the lockfile', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version?: string }> };
    for (const folder of ['', 'apps/console', 'proof']) expect(packages[folder]?.version).toBe(version);
  });

  it('is the one of messages between services', () => {
    const [major, minor] = version.split('.').map(Number);
    expect([major, minor]).toEqual([0, CONTRACTS_VERSION]);
  });

  it.each(TEXTS)('is the one that %s names', (file) => {
    const found = versionsIn(read(file));
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found)).toEqual(new Set([version]));
  });
});
