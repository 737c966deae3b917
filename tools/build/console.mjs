import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withBuildLock } from './lock.mjs';

/** All that the console is made of. */
const sources = ['apps/console', 'docs', 'libs/client/src', 'package-lock.json'];
const skipped = new Set(['contribute', 'node_modules', 'pictures', 'test']);

/** Builds the console into dist/console when it is missing or older than what it is made of. */
export async function buildConsole(root, { force = false, say = console.log } = {}) {
  const dist = path.join(root, 'dist');
  const stampFile = path.join(dist, '.console');
  await mkdir(dist, { recursive: true });
  return withBuildLock(path.join(dist, '.console-lock'), async () => {
    const stamp = await stampOf(root);
    const isThere = existsSync(path.join(dist, 'console/index.html'));
    const known = await readFile(stampFile, 'utf8').catch(() => undefined);
    if (!force && isThere && known === stamp) return true;
    say(isThere ? 'console: it has changed, building it' : 'console: building it (once; ten seconds or so)');
    const startedAt = Date.now();
    const next = path.join(dist, '.console-next');
    if (!(await runVite(root, next))) return false;
    await swap(next, path.join(dist, 'console'));
    await writeFile(stampFile, stamp);
    say(`console: built in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
    return true;
  });
}

/** Names, sizes and times: enough to notice a change, and quick. */
async function stampOf(root) {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of await filesIn(root, source)) {
      const { mtimeMs, size } = await stat(path.join(root, file));
      hash.update(`${file} ${mtimeMs} ${size}\n`);
    }
  }
  return hash.digest('base64url');
}

async function filesIn(root, place) {
  if ((await stat(path.join(root, place))).isFile()) return [place];
  const entries = await readdir(path.join(root, place), { withFileTypes: true });
  const found = await Promise.all(
    entries
      .filter(({ name }) => !skipped.has(name))
      .map((entry) => (entry.isDirectory() ? filesIn(root, `${place}/${entry.name}`) : [`${place}/${entry.name}`])),
  );
  return found.flat().sort();
}

/** Quiet unless it fails: then all that it said. */
function runVite(root, outDir) {
  const args = ['build', 'apps/console', '--config', 'apps/console/vite.config.mjs', '--outDir', outDir];
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const child = spawn(process.execPath, [vite, ...args, '--emptyOutDir', '--logLevel', 'warn'], { cwd: root });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk));
  return new Promise((resolve) => {
    child.on('error', () => resolve(false));
    child.on('close', (code) => {
      if (code !== 0) console.error(Buffer.concat(said).toString('utf8'));
      resolve(code === 0);
    });
  });
}

/** A gateway that is running never finds half a console. */
async function swap(next, place) {
  const old = `${place}-old`;
  await rm(old, { recursive: true, force: true });
  await rename(place, old).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(next, place);
  await rm(old, { recursive: true, force: true });
}
