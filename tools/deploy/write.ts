import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { kubernetesFiles } from './kubernetes/files';

/** Files that are not made any more would still be applied. */
function removeOld(folder: string, files: Record<string, string>): void {
  const made = new Set(Object.keys(files));
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name).slice(folder.length + 1);
    if (entry.isFile() && /^(?:base|components)\//.test(path) && !made.has(path)) rmSync(join(folder, path));
  }
}

export function writeManifests(root: string): void {
  const folder = join(root, 'deploy/k8s');
  const files = kubernetesFiles();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  removeOld(folder, files);
}
