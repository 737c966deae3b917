import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

/** docs/operate/console.md promises it. */
export const MAX_OF_FIRST_LOAD = 230_000;

const tags = /<(?:script|link)\b[^>]*>/gu;
const address = /\b(?:src|href)="\/console\/([^"]+\.(?:js|css))"/u;

/** The bytes, gzipped, of the scripts and styles that the page names: those that are loaded when it opens. */
export function firstLoadOf(folder: string): number {
  const page = readFileSync(path.join(folder, 'index.html'), 'utf8');
  const files = [...page.matchAll(tags)].flatMap(([tag]) => address.exec(tag)?.[1] ?? []);
  if (files.length === 0) throw new Error(`${folder}/index.html names no script`);
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(path.join(folder, file)), { level: 9 }).length, 0);
}
