import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../tools/launcher/project-root';
import { StopSentence } from '../../tools/launcher/stop-sentence';
import { version } from '../../tools/launcher/version';
import { Box } from './box';
import { must } from './must';
import { ComposedPlatform } from './platform';
import { makeRoots } from './roots';
import { importStandIns } from './stand-ins';
import { step } from './step';

/** As docker-compose.yml names it. */
export const IMAGE = 'switchyard:local';
/** Folders of the box with the sources. */
export const NOW = '/share/now';
export const BEFORE = '/share/before';

export interface Trial {
  /** Shared with the box, which sees it as `/share`. */
  folder: string;
  box: Box;
  platform: ComposedPlatform;
}

/** The sources of a commit, as a folder of the box. */
async function checkOut(folder: string, name: string, commit: string): Promise<void> {
  const into = path.join(folder, name);
  rmSync(into, { recursive: true, force: true });
  await must(['git', 'clone', '--quiet', '--shared', '--no-checkout', projectRoot, into]);
  await must(['git', '-C', into, 'checkout', '--quiet', '--detach', commit]);
  await must(['rm', '-rf', path.join(into, '.git')]);
}

interface Release {
  name: string;
  commit: string;
}

/** The newest release before this version: by the subjects of commits, since a clone may have no tags. */
async function previousRelease(): Promise<Release> {
  const log = await must(['git', 'log', '--format=%H %s', '--grep=^release: '], { cwd: projectRoot });
  for (const line of log.split('\n')) {
    const [, commit, name] = /^([0-9a-f]+) release: (\d+\.\d+\.\d+)$/u.exec(line) ?? [];
    if (commit !== undefined && name !== undefined && name !== version) return { name, commit };
  }
  throw new StopSentence('No commit of a release before this version. Fetch the whole history: git fetch --unshallow.');
}

/** Done once for a folder that is kept. */
async function once(folder: string, name: string, work: () => Promise<void>): Promise<void> {
  const done = path.join(folder, `${name.replaceAll(' ', '-')}.done`);
  if (existsSync(done)) return;
  await step(name, work);
  writeFileSync(done, '');
}

/** An engine with the images of others, and the sources of both versions. A kept folder has most of it already. */
export async function setUp(folder: string, hold: (box: Box) => void): Promise<Trial> {
  await once(folder, 'programs of Debian', () => makeRoots(folder));
  const before = await previousRelease();
  await checkOut(folder, 'before', before.commit);
  await checkOut(folder, 'now', 'HEAD');
  const box = await Box.open(path.join(folder, 'host'), folder);
  hold(box);
  const engine = await step('an engine', () => box.startEngine());
  console.log(`        Docker ${engine}, from ${before.name} (${before.commit.slice(0, 7)}) to ${version}`);
  await once(folder, 'images of others', () => importStandIns(box, folder));
  const platform = new ComposedPlatform(box, path.join(folder, 'made.json'));
  // A kept engine has started the containers of its last run again.
  await platform.compose(NOW, 'down', '--volumes', '--remove-orphans', '--timeout', '1');
  return { folder, box, platform };
}

/** From nothing to a customer's first answers, with the version in `source`. */
export async function upFromNothing({ platform }: Trial, source: string, name: string): Promise<void> {
  await step(`the image ${name}`, () => platform.compose(source, 'build'));
  await step('up from nothing', () => platform.up(source));
  await step('a customer comes', () => platform.customer(source, 'make'));
  await step('and is served', () => platform.customer(source, 'check'));
}
