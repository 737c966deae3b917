// `npm run test:deploy`: the images and docker-compose.yml in a real engine: the release before this version, an upgrade,
// and the way back.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { runToEnd } from '../../tools/launcher/processes/transient';
import { projectRoot } from '../../tools/launcher/project-root';
import { installPackages } from '../../tools/launcher/servers/install';
import { Progress } from '../../tools/launcher/progress';
import { StopSentence } from '../../tools/launcher/stop-sentence';
import { version } from '../../tools/launcher/version';
import { untilSignal } from '../../tools/launcher/until-signal';
import { Box } from './box';
import { must } from './must';
import { ComposedPlatform } from './platform';
import { makeRoots } from './roots';
import { importStandIns } from './stand-ins';
import { step } from './step';

/** As docker-compose.yml names it. */
const IMAGE = 'switchyard:local';
const NOW = '/share/now';
const BEFORE = '/share/before';
/** The sources of a commit, as a folder of the box. */
async function checkOut(folder: string, name: string, commit: string): Promise<void> {
  const into = path.join(folder, name);
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

async function trial(folder: string, hold: (box: Box) => void): Promise<void> {
  await step('programs of Debian', () => makeRoots(folder));
  const before = await previousRelease();
  await checkOut(folder, 'before', before.commit);
  await checkOut(folder, 'now', 'HEAD');
  const box = await Box.open(path.join(folder, 'host'), folder);
  hold(box);
  const engine = await step('an engine', () => box.startEngine());
  console.log(`        Docker ${engine}, from ${before.name} (${before.commit.slice(0, 7)}) to ${version}`);
  await step('images of others', () => importStandIns(box, folder));
  const platform = new ComposedPlatform(box, path.join(folder, 'made.json'));
  await step('the image before', () => platform.compose(BEFORE, 'build'));
  await step('up from nothing', () => platform.up(BEFORE));
  await step('a customer comes', () => platform.customer(BEFORE, 'make'));
  await step('and is served', () => platform.customer(BEFORE, 'check'));
  // Both releases give their image the same name.
  await box.run('docker', 'tag', IMAGE, `${IMAGE}-before`);
  await step('the image now', () => platform.compose(NOW, 'build'));
  const sent = await step('upgrade under load', () => platform.underLoad(NOW, () => platform.up(NOW)));
  console.log(`        answers by status, 0 without one: ${JSON.stringify(sent)}`);
  const unannounced = Object.keys(sent).filter((status) => !['0', '200', '503'].includes(status));
  if (unannounced.length > 0)
    throw new Error(`an upgrade answers with 503 or not at all, and not ${unannounced.join()}`);
  await step('all acknowledged is there', () => platform.customer(NOW, 'check'));
  await step('a service speaks NATS', () => platform.customer(NOW, 'service'));
  for (const part of ['nats-services', 'nats-accounts']) {
    await step(`a crash of ${part}, and it speaks again`, async () => {
      await platform.crash(part);
      await platform.customer(NOW, 'service');
    });
  }
  await box.run('docker', 'tag', IMAGE, `${IMAGE}-now`);
  await step('back to the version before', async () => {
    await box.run('docker', 'tag', `${IMAGE}-before`, IMAGE);
    await platform.up(BEFORE);
    await platform.customer(BEFORE, 'check');
  });
  await step('and up again', async () => {
    await box.run('docker', 'tag', `${IMAGE}-now`, IMAGE);
    await platform.up(NOW);
    await platform.customer(NOW, 'check');
  });
  for (const service of ['agent', 'nats', 'postgres', 'gateway']) {
    await step(`kill -9 of ${service}, and go on`, async () => {
      await platform.kill(service);
      await platform.up(NOW);
      await platform.customer(NOW, 'check');
    });
  }
  await step('down and up', async () => {
    await platform.compose(NOW, 'down');
    await platform.up(NOW);
    await platform.customer(NOW, 'check');
    await platform.customer(NOW, 'service');
  });
}

/** Layers of images are hundreds of thousands of small files, so several are removed at the same time. */
async function remove(folder: string): Promise<void> {
  const layers = path.join(folder, 'host/var/lib/docker/overlay2');
  const each = `test ! -d ${layers} || find ${layers} -mindepth 1 -maxdepth 1 -print0 | xargs -0 -r -P 8 -n 1 rm -rf`;
  await runToEnd('sh', ['-c', each]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 });
  // Groups of the engine for its containers; the kernel refuses to remove those in use.
  const groups = ['/sys/fs/cgroup', '-depth', '-type', 'd', '-path', '*/docker*', '-exec', 'rmdir', '{}', ';'];
  await runToEnd('find', groups);
}

async function main(): Promise<void> {
  if (process.getuid?.() !== 0) throw new StopSentence('npm run test:deploy makes namespaces: run it as root.');
  await installPackages(['mmdebstrap', 'slirp4netns', 'git'], { install: true, progress: new Progress() });
  const folder = mkdtempSync('/var/tmp/switchyard-deploy-');
  // apt fetches as a user of its own.
  chmodSync(folder, 0o755);
  let box: Box | undefined;
  try {
    await Promise.race([
      trial(folder, (opened) => (box = opened)),
      untilSignal().then(() => {
        throw new StopSentence('Stopped.');
      }),
    ]);
  } finally {
    box?.close();
    await step('everything removed', () => remove(folder));
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof StopSentence ? error.message : error);
    process.exit(1);
  },
);
