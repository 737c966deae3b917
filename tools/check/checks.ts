import path from 'node:path';
import { runToEnd } from '../launcher/processes/transient';
import { projectRoot } from '../launcher/project-root';
import { type Totals, runJest } from '../test/jest-run';
import { lookAgain } from '../test/second-look';
import { changedFiles } from './changed-files';
import { checkDocuments } from './documents/check-documents';
import { MAX_OF_FIRST_LOAD, firstLoadOf } from './first-load';
import { checkWords } from './words/check-words';

interface Check {
  name: string;
  command: string[];
}

const tool = (name: string): string => `node_modules/.bin/${name}`;

// The compiler written in Go takes a fifth of the time; the one before stays for those who call it from code.
const typesOf = (name: string, project: string): Check => ({
  name,
  command: [process.execPath, 'node_modules/typescript-7/bin/tsc', '--noEmit', '-p', project],
});

const checks: Check[] = [
  { name: 'format', command: [tool('oxfmt'), '--check'] },
  { name: 'lint', command: [tool('oxlint'), '--max-warnings=0'] },
  typesOf('types', 'tsconfig.json'),
  typesOf('types of the console', 'apps/console/tsconfig.json'),
  {
    name: 'boundaries',
    command: [
      tool('depcruise'),
      'apps',
      'libs',
      'proof',
      'tools',
      '--config',
      '.dependency-cruiser.cjs',
      '--output-type',
      'err',
    ],
  },
  { name: 'unused code', command: [tool('knip'), '--no-progress'] },
];

const consoleBuild: Check = {
  name: 'build of the console',
  command: [process.execPath, 'tools/build-console.mjs', '--stale'],
};

const PER_FILE = new Set(['format', 'lint']);
const WHOLE_ONLY = new Set(['boundaries', 'unused code']);
const NO_TESTS: Totals = { passed: 0, failed: 0, isGreen: true, failedFiles: {}, unsteadyFiles: {} };

/** Both print what they find. */
const failedTexts = (): string[] => [...(checkWords() ? [] : ['words']), ...(checkDocuments() ? [] : ['documents'])];

export interface Checked {
  isGreen: boolean;
  unit: Totals;
  /** Names of the checks that failed: their findings are far up in a long output. */
  failed: string[];
}

interface Manner {
  /** Beside tests that need the processors more. */
  givesWay?: boolean;
  /** The unit tests begin after this. */
  unitAfter?: Promise<unknown>;
}

/** Runs every check, also after one has failed, so that one run shows all there is to mend. */
export async function runChecks({ unitAfter, ...manner }: Manner = {}): Promise<Checked> {
  const failed = [...failedTexts(), ...(await runInTurn([...checks, consoleBuild], manner))];
  if (!failed.includes(consoleBuild.name) && !opensLightly()) failed.push('first load of the console');
  await unitAfter;
  const first = await runJest(['--selectProjects', 'unit', '--passWithNoTests'], manner);
  const unit = manner.givesWay ? await lookAgain('unit', first) : first;
  return { isGreen: failed.length === 0 && unit.isGreen, unit, failed };
}

const CODE = /\.(?:ts|tsx|mjs|cjs|js)$/;

/**
 * The checks of what differs from the main branch: its format, its lint and the unit tests that import it; types and words
 * of the whole. Boundaries, unused code and the console's build are left to the whole run.
 */
export async function runChangedChecks(): Promise<Checked> {
  const files = changedFiles();
  const code = files.filter((file) => CODE.test(file));
  const narrowed = checks
    .filter(({ name }) => !WHOLE_ONLY.has(name))
    .map((check) => (PER_FILE.has(check.name) ? { ...check, command: [...check.command, ...code] } : check))
    .filter(({ name }) => !PER_FILE.has(name) || code.length > 0);
  const failed = [...failedTexts(), ...(await runInTurn(narrowed, {}))];
  const unit =
    code.length > 0
      ? await runJest(['--selectProjects', 'unit', '--passWithNoTests', '--findRelatedTests', ...code])
      : NO_TESTS;
  return { isGreen: failed.length === 0 && unit.isGreen, unit, failed };
}

/** Names of those that fail. */
async function runInTurn(inTurn: Check[], manner: Manner): Promise<string[]> {
  const failed: string[] = [];
  for (const check of inTurn) if (!(await passes(check, manner))) failed.push(check.name);
  return failed;
}

async function passes({ name, command: [command = '', ...args] }: Check, manner: Manner): Promise<boolean> {
  const startedAt = Date.now();
  const outcome = await runToEnd(command, args, { cwd: projectRoot, ...manner });
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`${outcome.code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  if (outcome.code !== 0) console.log(`${outcome.stdout}${outcome.stderr}`.trim());
  return outcome.code === 0;
}

/** Size of the console's first load. */
function opensLightly(): boolean {
  const bytes = firstLoadOf(path.join(projectRoot, 'dist/console'));
  const isLight = bytes <= MAX_OF_FIRST_LOAD;
  const kilobytes = (size: number): string => (size / 1000).toFixed(1);
  console.log(
    `${isLight ? 'ok    ' : 'FAILED'} first load of the console (${kilobytes(bytes)} of ${kilobytes(MAX_OF_FIRST_LOAD)} kB)`,
  );
  return isLight;
}
