import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { withLock } from '../build/lock.mjs';
import { Interrupted, npmCi } from './npm-ci.mjs';

/** After `patienceMs`, it says where to look; `graceMs` is how long npm has to end after a signal. */
const defaultTimes = { patienceMs: 180_000, graceMs: 5_000 };

/**
 * Runs `npm ci` when node_modules is missing or does not match the lockfile; one process at a time, others wait for it.
 * The result is the exit code for this process: 0 if the dependencies are installed.
 */
export async function installDependencies(root, times = defaultTimes) {
  const lockfile = readFileSync(path.join(root, 'package-lock.json'));
  const wanted = createHash('sha256').update(lockfile).digest('base64url');
  const stamp = path.join(root, 'node_modules', '.switchyard-lockfile');
  const isStamped = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  if (isStamped()) return 0;
  const paths = { root, lock: path.join(root, 'dist', '.install-lock'), logs: path.join(root, 'dist', '.npm-logs') };
  mkdirSync(path.dirname(paths.lock), { recursive: true });
  const work = async () => {
    if (isStamped()) return 0;
    if (!matchesInstalled(root, lockfile)) {
      const seconds = await install(paths, times);
      if (seconds === undefined) {
        console.error('npm ci failed. Check the network and the npm registry settings, then start again.');
        return 1;
      }
      console.log(`dependencies installed in ${seconds} s`);
    }
    writeFileSync(stamp, wanted);
    return 0;
  };
  try {
    return await withLock(paths.lock, work, waitingMessages(paths, times));
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    console.error('Stopped while npm ci ran. The next start installs the dependencies from the beginning.');
    return 128 + os.constants.signals[error.signal];
  }
}

/** Says at first, and once more after a while, which process this one waits for. */
function waitingMessages({ logs }, { patienceMs }) {
  let isReported = false;
  let isAdvised = false;
  return ([holder], waitedMs) => {
    if (holder === undefined) return;
    if (!isReported) console.log(`waiting for process ${holder}, which installs the dependencies in this folder`);
    isReported = true;
    if (isAdvised || waitedMs < patienceMs) return;
    isAdvised = true;
    console.log(`${slowSentence(logs)}, end it with: kill ${holder}. This process then installs them.`);
  };
}

const slowSentence = (logs) =>
  `This takes longer than usual. The log of npm is the newest file in ${logs}. If the log does not grow`;

/** Whether somebody else (npm by hand) has installed what the lockfile says, in whichever folders npm put it. */
function matchesInstalled(root, lockfile) {
  const hidden = path.join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(hidden)) return false;
  const installed = new Set(packagesOf(JSON.parse(readFileSync(hidden, 'utf8'))));
  return packagesOf(JSON.parse(lockfile), (entry) => !entry.optional).every((name) => installed.has(name));
}

function packagesOf(lockfile, filter = () => true) {
  const entries = Object.entries(lockfile.packages).filter(([place, entry]) => place !== '' && filter(entry));
  return entries.map(([place, { version }]) => `${place.split('node_modules/').at(-1)}@${version}`);
}

/**
 * The lockfile names no registry, so npm asks for the description of every package. What its cache knows of a version
 * does not change, and not to ask again takes a fifth less time. A description that is older than the version is no
 * use: then npm asks for all of them.
 */
async function install({ root, lock, logs }, { patienceMs, graceMs }) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  console.log('installing dependencies with npm ci (once; half a minute or so)');
  const ticker = setInterval(() => console.log(`  still installing, ${seconds()} s`), 15_000);
  const advice = setTimeout(
    () => console.log(`${slowSentence(logs)}, press Ctrl-C, check the network and start again.`),
    patienceMs,
  );
  // npm holds the lock too: if this process is killed, npm continues, and the next start must wait for it.
  const options = { graceMs, onStart: (pid) => appendFileSync(lock, ` ${pid}`) };
  const flags = [`--logs-dir=${logs}`];
  try {
    if (await npmCi(root, ['--prefer-offline', ...flags], options)) return seconds();
    console.log('once more, asking the registry for everything');
    return (await npmCi(root, flags, options)) ? seconds() : undefined;
  } finally {
    clearInterval(ticker);
    clearTimeout(advice);
  }
}
