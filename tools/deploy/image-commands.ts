import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../launcher/project-root';

const read = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');

const filesIn = (folder: string): string[] =>
  readdirSync(path.join(projectRoot, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(projectRoot, path.join(entry.parentPath, entry.name)));

/** Files that name commands of the image. */
const sources = [
  'docker-compose.yml',
  'deploy/Dockerfile',
  'README.md',
  ...filesIn('deploy/k8s'),
  ...filesIn('deploy/helm'),
  ...filesIn('docs').filter((file) => file.endsWith('.md')),
];

/** Every program of the image that a manifest, the chart, Compose or a document names. */
export const commandsOfImage = (): string[] => [...new Set(sources.flatMap((file) => read(file).match(/\bdist\/(?:apps|tools)\/[\w./-]+\.js\b/g) ?? []))];

/** The folders below dist/ that the Dockerfile copies into the last stage. */
export function copiedFolders(): string[] {
  const text = read('deploy/Dockerfile');
  const tools = /for tool in ([\w -]+); do cp -r "dist\/tools\/\$tool"/.exec(text)?.[1]?.trim().split(/\s+/) ?? [];
  const whole = /cp -r ((?:dist\/\w+ )+)\/out\/dist\//.exec(text)?.[1]?.trim().split(/\s+/) ?? [];
  return [...whole.map((folder) => folder.replace('dist/', '')), ...tools.map((tool) => `tools/${tool}`)];
}

