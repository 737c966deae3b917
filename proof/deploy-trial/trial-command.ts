// `npm run test:deploy`: the images and docker-compose.yml in a real engine: the release before this version, an upgrade,
// and every day after.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runToEnd } from '../../tools/launcher/processes/transient';
import { installPackages } from '../../tools/launcher/servers/install';
import { Progress } from '../../tools/launcher/progress';
import { StopSentence } from '../../tools/launcher/stop-sentence';
import { untilSignal } from '../../tools/launcher/until-signal';
import type { Box } from './box';
import { crashes } from './crashes';
import { failingMigration } from './failing-migration';
import { restore } from './restore';
import { rotation } from './rotation';
import { NOW, type Trial, setUp, upFromNothing } from './setting-up';
import { step } from './step';
import { upgrade } from './upgrade';

const PARTS: Record<string, (trial: Trial) => Promise<void>> = {
  upgrade,
  crashes,
  'failing-migration': failingMigration,
  restore,
  rotation,
};

const USAGE = `npm run test:deploy [-- options]

  --only <part>    after the set-up only this part (may be repeated): ${Object.keys(PARTS).join(', ')}
  --keep <folder>  keep the engine and its images in this folder; the next run with it begins there`;

interface TrialOptions {
  only?: string[];
  keep?: string;
}

function optionsOf(args: string[]): TrialOptions {
  try {
    const { values } = parseArgs({
      args,
      options: { only: { type: 'string', multiple: true }, keep: { type: 'string' } },
    });
    if (values.only?.some((part) => !(part in PARTS))) throw new StopSentence(USAGE);
    return values;
  } catch {
    throw new StopSentence(USAGE);
  }
}

async function run(
  folder: string,
  { only = Object.keys(PARTS) }: TrialOptions,
  hold: (box: Box) => void,
): Promise<void> {
  const trial = await setUp(folder, hold);
  if (!only.includes('upgrade')) await upFromNothing(trial, NOW, 'now');
  for (const [name, part] of Object.entries(PARTS)) if (only.includes(name)) await part(trial);
}

/** Layers of images are hundreds of thousands of small files, so several are removed at the same time. */
async function remove(folder: string): Promise<void> {
  const layers = path.join(folder, 'host/var/lib/docker/overlay2');
  const each = `test ! -d ${layers} || find ${layers} -mindepth 1 -maxdepth 1 -print0 | xargs -0 -r -P 8 -n 1 rm -rf`;
  await runToEnd('sh', ['-c', each]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 });
}

/** Groups of the engine for its containers; the kernel refuses to remove those in use. */
async function removeGroups(): Promise<void> {
  const groups = ['/sys/fs/cgroup', '-depth', '-type', 'd', '-path', '*/docker*', '-exec', 'rmdir', '{}', ';'];
  await runToEnd('find', groups);
}

function folderOf({ keep }: TrialOptions): string {
  if (keep === undefined) return mkdtempSync('/var/tmp/switchyard-deploy-');
  mkdirSync(keep, { recursive: true });
  return path.resolve(keep);
}

async function main(): Promise<void> {
  const options = optionsOf(process.argv.slice(2));
  if (process.getuid?.() !== 0) throw new StopSentence('npm run test:deploy makes namespaces: run it as root.');
  await installPackages(['mmdebstrap', 'slirp4netns', 'git'], { install: true, progress: new Progress() });
  const folder = folderOf(options);
  // apt fetches as a user of its own.
  chmodSync(folder, 0o755);
  let box: Box | undefined;
  try {
    await Promise.race([
      run(folder, options, (opened) => (box = opened)),
      untilSignal().then(() => {
        throw new StopSentence('Stopped.');
      }),
    ]);
  } finally {
    box?.close();
    if (options.keep === undefined) await step('everything removed', () => remove(folder));
    await removeGroups();
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof StopSentence ? error.message : error);
    process.exit(1);
  },
);
