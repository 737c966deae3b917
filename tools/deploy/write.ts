import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exampleFiles } from './chart/examples';
import { chartFiles } from './chart/files';
import { kubernetesFiles } from './kubernetes/files';

/** Files that are not made any more would still be applied. */
function removeOld(folder: string, files: Record<string, string>, isMade: RegExp): void {
  const made = new Set(Object.keys(files));
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name).slice(folder.length + 1);
    if (entry.isFile() && isMade.test(path) && !made.has(path)) rmSync(join(folder, path));
  }
}

function writeFolder(folder: string, files: Record<string, string>, isMade: RegExp): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  removeOld(folder, files, isMade);
}

export function writeManifests(root: string): void {
  writeFolder(join(root, 'deploy/k8s'), kubernetesFiles(), /^(?:base|components)\//);
  writeFolder(join(root, 'deploy/helm/switchyard'), chartFiles(), /^/);
  writeFolder(join(root, 'deploy/helm/examples'), exampleFiles(), /^/);
}
