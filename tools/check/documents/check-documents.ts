import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../launcher/project-root';
import { type WordCeilings, lowered, overCeilings } from '../words/word-ceilings';
import { anchorsOf, brokenLinksOf } from './links';
import { blocksOf, wordsOf } from './markdown-blocks';
import { oldVoiceIn } from './old-voice';

const CEILINGS = path.join(projectRoot, 'tools/check/documents/document-ceilings.json');
const ANCHORS = path.join(projectRoot, 'tools/check/documents/anchors.txt');
/** Pages that alerts, the console and readers link to from outside. */
const STABLE = /^docs\/(?:operate|reference)\//;
const MAX_WORDS = 120;
/** A table of the names of tests, which are read as titles. */
const TABLE_OF_TESTS = 'tools/api-coverage/api-coverage.md';

const exists = (file: string): boolean => existsSync(path.join(projectRoot, file));
const textOf = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');

const pages = (): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
    cwd: projectRoot,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '' && file !== TABLE_OF_TESTS && exists(file));

const longBlocksOf = (text: string): string[] => blocksOf(text).filter((block) => wordsOf(block) > MAX_WORDS);

function countsOf(files: string[]): WordCeilings {
  const lines = files.flatMap((file): [string, number][] => {
    const text = textOf(file);
    return [
      [`${file}: blocks over ${MAX_WORDS} words`, longBlocksOf(text).length],
      [`${file}: turns of the old voice`, blocksOf(text).flatMap(oldVoiceIn).length],
    ];
  });
  return Object.fromEntries(lines.filter(([, count]) => count > 0).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const readCeilings = (): WordCeilings => JSON.parse(readFileSync(CEILINGS, 'utf8')) as WordCeilings;

const anchorsOfPages = (files: string[]): string[] =>
  files
    .filter((file) => STABLE.test(file))
    .flatMap((file) => anchorsOf(textOf(file)).map((anchor) => `${file}#${anchor}`));

const recordedAnchors = (): string[] => readFileSync(ANCHORS, 'utf8').split('\n').filter(Boolean);

/** Every finding of one page, to write it over. */
export function findingsOf(file: string): string[] {
  const blocks = blocksOf(textOf(file));
  return [
    ...longBlocksOf(textOf(file)).map((block) => `${wordsOf(block)} words: ${block.slice(0, 60)}...`),
    ...blocks.flatMap((block) => oldVoiceIn(block).map((turn) => `${turn} in: ${block.slice(0, 60)}...`)),
    ...brokenLinksOf(file, { exists, textOf }).map((link) => `leads nowhere: ${link}`),
  ];
}

/** Prints each page that is above its ceiling, and each link that leads nowhere. */
export function checkDocuments(): boolean {
  const files = pages();
  const over = overCeilings(readCeilings(), countsOf(files));
  const broken = files.flatMap((file) =>
    brokenLinksOf(file, { exists, textOf }).map((link) => `${file}: ${link} leads nowhere`),
  );
  const now = new Set(anchorsOfPages(files));
  const removed = recordedAnchors()
    .filter((anchor) => !now.has(anchor))
    .map((anchor) => `${anchor} is no heading any more: leave <a id="..."></a> above the new one`);
  const wrong = [...over, ...broken, ...removed];
  console.log(`${wrong.length === 0 ? 'ok    ' : 'FAILED'} documents (${files.length} pages)`);
  for (const line of wrong) console.log(line);
  if (over.length > 0) console.log('`npm run check -- --page <file>` lists what to write over.');
  return wrong.length === 0;
}

/** Sets the ceilings to the counts of today, and raises none. Records new headings of stable pages. */
export function lowerDocumentCeilings(): void {
  writeFileSync(CEILINGS, `${JSON.stringify(lowered(readCeilings(), countsOf(pages())), null, 2)}\n`);
  const anchors = new Set([...recordedAnchors(), ...anchorsOfPages(pages())]);
  writeFileSync(ANCHORS, `${[...anchors].sort().join('\n')}\n`);
}
