import { readFileSync } from 'node:fs';
import path from 'node:path';
import { StopSentence } from '../launcher/stop-sentence';

interface NestProject {
  type: 'application' | 'library';
  sourceRoot: string;
}

/** The folders whose sources are a service: its own, and those of all libraries, as nest-cli.json declares them. */
export function sourceRootsOf(service: string, root: string): string[] {
  const file = path.join(root, 'nest-cli.json');
  const { projects } = JSON.parse(readFileSync(file, 'utf8')) as { projects: Record<string, NestProject> };
  const own = projects[service];
  if (own?.type !== 'application') throw new StopSentence(`nest-cli.json declares no application ${service}.`);
  const libraries = Object.values(projects).filter(({ type }) => type === 'library');
  return [own, ...libraries].map(({ sourceRoot }) => path.join(root, sourceRoot));
}
