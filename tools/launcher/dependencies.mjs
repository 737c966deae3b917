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
    const seconds = await npmCi(root);
    if (seconds === undefined) {
      console.error('npm ci failed. Check the network and the npm registry settings, then start again.');
      return false;
    }
    console.log(`dependencies installed in ${seconds} s`);
  }
  writeFileSync(stamp, wanted);
  return true;
}

/** Whether somebody else (npm ci by hand) has installed exactly what the lockfile says. */
function matchesInstalled(root, lockfile) {
  const hidden = path.join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(hidden)) return false;
  const installed = JSON.parse(readFileSync(hidden, 'utf8')).packages;
  const wanted = JSON.parse(lockfile).packages;
  return Object.entries(wanted).every(
    ([name, entry]) => name === '' || entry.optional || installed[name]?.version === entry.version,
  );
}

function npmCi(root) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  console.log('installing dependencies with npm ci (once; half a minute or so)');
  const ticker = setInterval(() => console.log(`  still installing, ${seconds()} s`), 15_000);
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const child = spawn(npm, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  return new Promise((resolve) => {
    child.on('error', () => resolve(undefined));
    child.on('close', (code) => resolve(code === 0 ? seconds() : undefined));
  }).finally(() => clearInterval(ticker));
}
