import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../launcher/project-root';

const docs = path.join(projectRoot, 'docs');
const index = readFileSync(path.join(docs, 'README.md'), 'utf8');

test('docs/README.md lists each page in a row of its own, from which the console makes its index', () => {
  const listed = new Set([...index.matchAll(/^\| \[[^\]]+\]\(([\w./-]+\.md)\) +\|/gmu)].map(([, file]) => file));
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && file !== 'README.md' && !file.startsWith('contribute/'))
    .map((file) => file.replaceAll(path.sep, '/'));
  expect(pages.filter((page) => !listed.has(page))).toEqual([]);
});
