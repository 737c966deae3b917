import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Runs `npm ci` when node_modules is missing or does not match the lockfile. False when that failed. */
export async function installDependencies(root) {
  const lockfile = readFileSync(path.join(root, 'package-lock.json'));
  const wanted = createHash('sha256').update(lockfile).digest('base64url');
  const stamp = path.join(root, 'node_modules', '.switchyard-lockfile');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return true;
  if (!matchesInstalled(root, lockfile)) {
    const seconds = await install(root);
    if (seconds === undefined) {
      console.error('npm ci failed. Check the network and the npm registry settings, then start again.');
      return false;
    }
    console.log(`dependencies installed in ${seconds} s`);
  }
  writeFileSync(stamp, wanted);
  return true;
}

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
async function install(root) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  console.log('installing dependencies with npm ci (once; half a minute or so)');
  const ticker = setInterval(() => console.log(`  still installing, ${seconds()} s`), 15_000);
  try {
    if (await npmCi(root, ['--prefer-offline'])) return seconds();
    console.log('once more, asking the registry for everything');
    return (await npmCi(root, [])) ? seconds() : undefined;
  } finally {
    clearInterval(ticker);
  }
}

function npmCi(root, flags) {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...flags];
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const child = spawn(npm, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  return new Promise((resolve) => {
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code === 0));
  });
}
