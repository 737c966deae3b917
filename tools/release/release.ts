import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { OPENAPI_DOCUMENT } from '../generate/generated-files';
import { RELEASED_API, withoutProse } from '../generate/released-api';
import { runToEnd } from '../launcher/processes/transient';
import { StopSentence } from '../launcher/stop-sentence';
import { CHANGELOG, begunChangelog, datedChangelog } from './changelog';
import { CONTRACTS, PACKAGES, TEXTS, withVersion } from './version-files';

export interface Release {
  root: string;
  version: string;
  /** The version after it. */
  next: string;
  day: string;
}

/** New texts of files. */
export type FileTexts = Record<string, string>;

const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;
type Parts = [number, number, number];

function partsOf(version: string): Parts {
  const found = VERSION.exec(version);
  if (!found) throw new StopSentence(`${version} is no version such as 0.2.0.`);
  return found.slice(1).map(Number) as Parts;
}

/** The next minor version. */
export function nextOf(version: string): string {
  const [major, minor] = partsOf(version);
  return `${major}.${minor + 1}.0`;
}

function isLater(next: string, version: string): boolean {
  const [one, other] = [partsOf(next), partsOf(version)];
  const at = one.findIndex((part, index) => part !== other[index]);
  return at >= 0 && (one[at] ?? 0) > (other[at] ?? 0);
}

const read = (root: string, file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Refuses a version that is not the one in the making, or exists, and a tree with changes. */
export async function checkRelease({ root, version, next }: Release): Promise<void> {
  const { version: current } = JSON.parse(read(root, 'package.json')) as { version: string };
  partsOf(version);
  if (version !== current) throw new StopSentence(`The version in the making is ${current}, not ${version}.`);
  if (!isLater(next, version)) throw new StopSentence(`${next} does not come after ${version}.`);
  const status = await git(root, 'status', '--porcelain');
  if (status !== '') throw new StopSentence(`Commit or remove these changes first:\n${status}`);
  if ((await git(root, 'tag', '--list', `v${version}`)) !== '') throw new StopSentence(`v${version} exists already.`);
}

/** Changes of the release: the day, and the API that later changes are compared with. */
export function releaseChanges({ root, version, day }: Release): FileTexts {
  const document: unknown = JSON.parse(read(root, OPENAPI_DOCUMENT));
  return {
    [CHANGELOG]: datedChangelog(read(root, CHANGELOG), version, day),
    [RELEASED_API]: `${JSON.stringify(withoutProse(document))}\n`,
  };
}

/** Changes after the release: the version in every file that names it. */
export function nextChanges({ root, version, next }: Release): FileTexts {
  const changes: FileTexts = { [CHANGELOG]: begunChangelog(read(root, CHANGELOG), version, next) };
  const quoted = `"version": "${version}"`;
  for (const folder of PACKAGES) {
    const file = path.posix.join(folder, 'package.json');
    changes[file] = replaced(file, read(root, file), quoted, `"version": "${next}"`);
  }
  changes['package-lock.json'] = lockWith(read(root, 'package-lock.json'), next);
  for (const file of TEXTS) changes[file] = withVersion(read(root, file), version, next);
  const [, minor] = partsOf(version);
  const [, nextMinor] = partsOf(next);
  if (nextMinor !== minor)
    changes[CONTRACTS] = replaced(CONTRACTS, read(root, CONTRACTS), `VERSION = ${minor};`, `VERSION = ${nextMinor};`);
  return changes;
}

function replaced(file: string, text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new StopSentence(`${file} does not name the version as expected (${from}).`);
  return text.replace(from, to);
}

function lockWith(text: string, next: string): string {
  const lock = JSON.parse(text) as { version: string; packages: Record<string, { version?: string }> };
  lock.version = next;
  for (const folder of PACKAGES) {
    const entry = lock.packages[folder];
    if (entry?.version !== undefined) entry.version = next;
  }
  return `${JSON.stringify(lock, null, 2)}\n`;
}

/** Writes the changes and commits them. */
export async function commitChanges(root: string, subject: string, changes: FileTexts): Promise<void> {
  for (const [file, text] of Object.entries(changes)) writeFileSync(path.join(root, file), text);
  await git(root, 'add', '--', ...Object.keys(changes));
  await git(root, 'commit', '--quiet', '--message', subject);
}

/** The packages that a version runs with, as CycloneDX: beside the image, and for scanners. */
export async function billOfMaterials(root: string): Promise<string> {
  const { code, stdout, stderr } = await runToEnd(
    'npm',
    ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'],
    { cwd: root },
  );
  if (code !== 0) throw new StopSentence(`npm sbom failed: ${stderr.slice(-500)}`);
  return stdout;
}

export async function git(root: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runToEnd('git', args, { cwd: root });
  if (code !== 0) throw new StopSentence(`git ${args[0] ?? ''} failed: ${stderr.trim()}`);
  return stdout.trim();
}
