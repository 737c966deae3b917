import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../launcher/project-root';

/** The README and every page below docs/, as paths from the project's root. */
export const documents: readonly string[] = [
  'README.md',
  ...readdirSync(path.join(projectRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `docs/${name}`),
];

export const textOf = (document: string): string => readFileSync(path.join(projectRoot, document), 'utf8');
