import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../launcher/project-root';
import { countWords, type SourceFile } from './count-words';
import { asCeilings, lowered, overCeilings, type WordCeilings } from './word-ceilings';

const CEILINGS = path.join(projectRoot, 'tools/check/words/word-ceilings.json');
const FOLDERS = ['apps', 'libs', 'proof', 'tools', 'examples'];

function* sources(): Generator<SourceFile> {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', ...FOLDERS];
  for (const file of execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).split('\n')) {
    const whole = path.join(projectRoot, file);
    if (!/\.(?:tsx?|mts)$/.test(file) || file.endsWith('.d.ts') || !existsSync(whole)) continue;
    yield { path: file, text: readFileSync(whole, 'utf8') };
  }
}

const share = (part: number, of: number): string => `${((100 * part) / of).toFixed(2)}% of ${of}`;

const readCeilings = (): WordCeilings => JSON.parse(readFileSync(CEILINGS, 'utf8')) as WordCeilings;

/** Prints the two shares, and each count that is above its ceiling. */
export function checkWords(): boolean {
  const counts = countWords(sources());
  const packages = Object.values(counts.packages);
  const sum = (of: (each: (typeof packages)[number]) => number): number => packages.map(of).reduce((a, b) => a + b, 0);
  const names = share(
    sum(({ names }) => names),
    counts.all.names,
  );
  const comments = share(
    sum(({ comments }) => comments),
    counts.all.comments,
  );
  const over = overCeilings(readCeilings(), asCeilings(counts));
  console.log(
    `${over.length === 0 ? 'ok    ' : 'FAILED'} words (of the dialect: ${names} names; riddles: ${comments} comments)`,
  );
  for (const line of over) console.log(line);
  if (over.length > 0) console.log('Use the ordinary word of the trade: docs/contribute/rules.md, "Words".');
  return over.length === 0;
}

/** Sets the ceilings to the counts of today, and raises none. */
export function lowerCeilings(): void {
  const ceilings = lowered(readCeilings(), asCeilings(countWords(sources())));
  writeFileSync(CEILINGS, `${JSON.stringify(ceilings, null, 2)}\n`);
}
