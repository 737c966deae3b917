import { readdir } from 'node:fs/promises';
import path from 'node:path';

const roots = ['apps', 'examples', 'libs', 'proof', 'tools'];
const skippedDirectories = new Set(['node_modules', 'dist', 'coverage']);
/** Built by Vite. */
const skippedPlaces = new Set(['apps/console']);
const skippedFiles = [/\.spec\.ts$/, /\.e2e-spec\.ts$/, /\.d\.ts$/, /\.md$/, /\.mjs$/, /^tsconfig.*\.json$/, /^\./];

/** Every file that has an output in dist/, as a path with forward slashes relative to the project's root. */
export async function findSources(root) {
  const found = [];
  await Promise.all(roots.map((directory) => walk(root, directory, found)));
  return found.sort();
}

const isSkipped = (name, relative) => skippedDirectories.has(name) || skippedPlaces.has(relative);

async function walk(root, directory, found) {
  const entries = await readdir(path.join(root, directory), { withFileTypes: true }).catch(() => []);
  await Promise.all(
    entries.map((entry) => {
      const relative = `${directory}/${entry.name}`;
      if (entry.isDirectory()) return isSkipped(entry.name, relative) ? undefined : walk(root, relative, found);
      if (!skippedFiles.some((pattern) => pattern.test(entry.name))) found.push(relative);
      return undefined;
    }),
  );
}

export function outputsOf(source) {
  if (!source.endsWith('.ts')) return [source];
  const script = source.replace(/\.ts$/, '.js');
  return [script, `${script}.map`];
}
