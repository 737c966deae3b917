import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../launcher/project-root';
import { StopSentence } from '../launcher/stop-sentence';
import {
  type FileTexts,
  type Release,
  billOfMaterials,
  checkRelease,
  commitChanges,
  git,
  nextChanges,
  nextOf,
  releaseChanges,
} from './release';

const HELP = `npm run release -- VERSION [--next VERSION] [--go]

Tags the version in the making and begins the next one. Without --go it only says what it would do.

  --next VERSION   the version after it (default: the next minor one)
  --go             write, commit and tag`;

/** Writes the list of packages beside what a build leaves. */
async function writeBill(version: string): Promise<string> {
  const file = path.join('dist', 'release', `switchyard-${version}.cdx.json`);
  mkdirSync(path.dirname(path.join(projectRoot, file)), { recursive: true });
  writeFileSync(path.join(projectRoot, file), await billOfMaterials(projectRoot));
  return file;
}

const show = (title: string, changes: FileTexts): void => {
  console.log(title);
  for (const file of Object.keys(changes)) console.log(`  ${file}`);
};

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { next: { type: 'string' }, go: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  const [version] = positionals;
  if (values.help || version === undefined) {
    console.log(HELP);
    return;
  }
  const day = new Date().toISOString().slice(0, 10);
  const release: Release = { root: projectRoot, version, next: values.next ?? nextOf(version), day };
  await checkRelease(release);
  const ofRelease = releaseChanges(release);
  show(`commit "release: ${version}", tag v${version}`, ofRelease);
  if (!values.go) {
    console.log(`dist/release/switchyard-${version}.cdx.json: the packages that it runs with`);
    console.log(`then a commit that begins ${release.next}. Nothing was written: add --go.`);
    return;
  }
  await commitChanges(projectRoot, `release: ${version}`, ofRelease);
  await git(projectRoot, 'tag', '--annotate', `v${version}`, '--message', `Switchyard ${version}`);
  console.log(`wrote ${await writeBill(version)}`);
  const ofNext = nextChanges(release);
  show(`commit "chore: ${release.next} is in the making"`, ofNext);
  await commitChanges(projectRoot, `chore: ${release.next} is in the making`, ofNext);
  console.log(`Build the image from the tag, and push both commits and v${version}.`);
}

run().catch((error: unknown) => {
  console.error(error instanceof StopSentence ? error.message : error);
  process.exit(1);
});
