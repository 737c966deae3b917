import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { OPENAPI_DOCUMENT } from '../generate/generated-files';
import { RELEASED_API } from '../generate/released-api';
import { projectRoot } from '../launcher/project-root';
import { version } from '../launcher/version';
import { CHANGELOG } from './changelog';
import {
  type Release,
  billOfMaterials,
  checkRelease,
  commitChanges,
  git,
  nextChanges,
  nextOf,
  releaseChanges,
} from './release';
import { CONTRACTS, PACKAGES, TEXTS, versionsIn } from './version-files';

const next = nextOf(version);
let root: string;
let release: Release;

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

beforeEach(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), 'switchyard-release-'));
  const manifests = PACKAGES.map((folder) => path.posix.join(folder, 'package.json'));
  for (const file of [
    ...manifests,
    ...TEXTS,
    CONTRACTS,
    CHANGELOG,
    'package-lock.json',
    OPENAPI_DOCUMENT,
    RELEASED_API,
  ]) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    cpSync(path.join(projectRoot, file), path.join(root, file));
  }
  release = { root, version, next, day: '2027-01-31' };
  await git(root, 'init', '--quiet');
  await git(root, 'config', 'user.email', 'release@example.com');
  await git(root, 'config', 'user.name', 'Release');
  await git(root, 'add', '--all');
  await git(root, 'commit', '--quiet', '--message', 'before');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('a release', () => {
  it('dates the changelog and keeps the API for comparison; the commit after it begins the next version', async () => {
    await checkRelease(release);
    await commitChanges(root, `release: ${version}`, releaseChanges(release));
    expect(read(CHANGELOG)).toContain(`## ${version} - 2027-01-31\n`);
    expect(read(CHANGELOG)).not.toContain('not released yet');
    await commitChanges(root, 'next', nextChanges(release));
    expect(read(CHANGELOG)).toMatch(new RegExp(`## ${next} \\(not released yet\\)\n[^#]+## ${version} - 2027-01-31\n`));
    for (const folder of PACKAGES)
      expect(read(path.posix.join(folder, 'package.json'))).toContain(`"version": "${next}"`);
    for (const file of TEXTS) expect(new Set(versionsIn(read(file)))).toEqual(new Set([next]));
    expect(read(CONTRACTS)).toContain(`VERSION = ${next.split('.')[1] ?? ''};`);
    const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version?: string }> };
    expect(lock.packages['']?.version).toBe(next);
    expect(await git(root, 'status', '--porcelain')).toBe('');
  });

  it('changes nothing of the lockfile but the version', () => {
    const before = read('package-lock.json').split('\n');
    const after = (nextChanges({ ...release, root: withDay() })['package-lock.json'] ?? '').split('\n');
    expect(after).toHaveLength(before.length);
    const changed = after.filter((line, at) => line !== before[at]);
    expect(new Set(changed.map((line) => line.trim()))).toEqual(new Set([`"version": "${next}",`]));
    expect(changed.length).toBeLessThanOrEqual(PACKAGES.length + 1);
  });

  it.each([
    ['a version that is not in the making', { version: '9.9.9' }, /in the making is/],
    ['no version', { version: 'next' }, /is no version/],
    ['a next version that is not later', { next: version }, /does not come after/],
  ])('is refused for %s', async (_, change, message) => {
    await expect(checkRelease({ ...release, ...change })).rejects.toThrow(message);
  });

  it('is refused with changes in the tree, and for a tag that exists', async () => {
    writeFileSync(path.join(root, 'new.txt'), 'new');
    await expect(checkRelease(release)).rejects.toThrow(/Commit or remove these changes first/);
    rmSync(path.join(root, 'new.txt'));
    await git(root, 'tag', `v${version}`);
    await expect(checkRelease(release)).rejects.toThrow(/exists already/);
  });

  it('lists the packages that the platform runs with, and none for development', async () => {
    const bill = JSON.parse(await billOfMaterials(projectRoot)) as {
      components: { name: string; licenses?: object[] }[];
    };
    const names = bill.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', 'nats']));
    expect(names).not.toContain('jest');
  });
});

/** The changelog of a version that was released. */
function withDay(): string {
  writeFileSync(path.join(root, CHANGELOG), releaseChanges(release)[CHANGELOG] ?? '');
  return root;
}
