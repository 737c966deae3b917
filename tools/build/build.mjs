import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { buildChecks } from './checks.mjs';
import { compile, compilerFingerprint } from './compile.mjs';
import { findSources, outputsOf } from './sources.mjs';
import { withBuildLock } from './lock.mjs';

export const root = path.resolve(import.meta.dirname, '../..');
const dist = path.join(root, 'dist');
const manifestFile = path.join(dist, '.manifest.json');
const parallel = 8;

/** Brings dist/ up to date. Never throws for a source that does not compile: it is listed in `failures`. */
export async function build({ force = false } = {}) {
  await mkdir(dist, { recursive: true });
  return withBuildLock(path.join(dist, '.lock'), async () => {
    const startedAt = Date.now();
    const compiler = await compilerFingerprint(root);
    const before = force ? emptyManifest(compiler) : await readManifest(compiler);
    const sources = await findSources(root);
    const after = { compiler, files: {} };
    const failures = [];
    let written = 0;

    await inParallel(sources, async (file) => {
      const known = before.files[file];
      const { mtimeMs, size } = await stat(path.join(root, file));
      if (known && known.mtimeMs === mtimeMs && known.size === size) {
        after.files[file] = known;
        return;
      }
      const text = await readFile(path.join(root, file));
      const hash = createHash('sha256').update(text).digest('base64url');
      if (known?.hash !== hash) {
        try {
          for (const [output, content] of await compile(root, file, text))
            await replaceFile(path.join(dist, output), content);
        } catch (error) {
          failures.push({ file, message: error instanceof Error ? error.message : String(error) });
          return;
        }
        written += 1;
      }
      after.files[file] = { mtimeMs, size, hash };
    });

    const removed = await removeStale(before, sources);
    await replaceFile(manifestFile, JSON.stringify(after));
    if (failures.length === 0) await buildChecks(root, after.files);
    const summary = `build: ${sources.length} sources, ${written} compiled, ${removed} removed, ${failures.length} failed, ${Date.now() - startedAt} ms`;
    return { written, removed, failures, summary };
  });
}

async function readManifest(compiler) {
  try {
    const manifest = JSON.parse(await readFile(manifestFile, 'utf8'));
    if (manifest.compiler === compiler) return manifest;
    // Another compiler or other settings: compile all again, but remember the outputs, so that stale ones still go.
    return { compiler, files: Object.fromEntries(Object.keys(manifest.files).map((file) => [file, {}])) };
  } catch {
    return emptyManifest(compiler);
  }
}

function emptyManifest(compiler) {
  return { compiler, files: {} };
}

async function removeStale(before, sources) {
  const present = new Set(sources);
  const stale = Object.keys(before.files).filter((file) => !present.has(file));
  for (const output of stale.flatMap(outputsOf)) await rm(path.join(dist, output), { force: true });
  return stale.length;
}

/** Replaces the file in one step, so that a service that starts meanwhile never reads half of it. */
async function replaceFile(file, content) {
  await mkdir(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}.new`;
  await writeFile(temporary, content);
  await rename(temporary, file);
}

async function inParallel(items, work) {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}
