import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../tools/launcher/project-root';

/** The blocks of a document below a heading: the trial runs what an operator copies. */
export function blocksOf(file: string, heading: string, language: 'sh' | 'sql' = 'sh'): string[] {
  const text = readFileSync(path.join(projectRoot, 'docs/operate', file), 'utf8');
  const section = text.split(`\n${heading}\n`)[1]?.split(/\n##/u)[0] ?? '';
  const blocks = section.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'gu'));
  return Array.from(blocks, ([, text = '']) => text);
}

/** The first block of commands. */
export function documented(file: string, heading: string): string {
  const [commands] = blocksOf(file, heading);
  if (commands === undefined) throw new Error(`docs/operate/${file} has no commands below "${heading}"`);
  return commands;
}
