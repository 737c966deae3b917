import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { giveWay } from '../launcher/processes/give-way';
import { endsWithUs } from '../launcher/processes/transient';
import { projectRoot } from '../launcher/project-root';

export interface Totals {
  passed: number;
  failed: number;
  isGreen: boolean;
  /** Failures by file. */
  failedFiles: Record<string, string>;
  /** Failed once, and passed when they were run again alone. */
  unsteadyFiles: Record<string, string>;
}

interface JestReport {
  success: boolean;
  numPassedTests: number;
  numFailedTests: number;
  numRuntimeErrorTestSuites: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

interface Manner {
  env?: NodeJS.ProcessEnv;
  /** Leaves most of the processors to others who want them. */
  givesWay?: boolean;
}

/** Each test file makes much garbage while it loads, and a larger young generation makes collecting it cheaper. */
const SEMI_SPACE = '--max-semi-space-size=32';

/** Several times what a run takes on a machine that has other work: what takes longer stands still. */
const LIMIT_MS = 40 * 60_000;

/** Runs jest on this terminal and reads the totals from its report. */
export async function runJest(args: string[], { env = {}, givesWay = false }: Manner = {}): Promise<Totals> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'switchyard-jest-'));
  const report = path.join(folder, 'report.json');
  const jest = path.join(projectRoot, 'node_modules/jest/bin/jest.js');
  const command = [
    '--disable-warning=ExperimentalWarning',
    SEMI_SPACE,
    jest,
    '--json',
    `--outputFile=${report}`,
    ...args,
  ];
  const child = spawn(process.execPath, command, {
    cwd: projectRoot,
    env: { ...process.env, ...env },
    // The report goes to its file; jest's own notice of that is of no use to the reader.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  endsWithUs(child);
  if (givesWay) giveWay(child);
  const limit = setTimeout(() => {
    console.error(`jest ${args.join(' ')} has not ended within ${LIMIT_MS / 60_000} minutes and is killed.`);
    child.kill('SIGKILL');
  }, LIMIT_MS);
  const code = await new Promise<number>((resolve) => {
    child.once('error', () => resolve(127));
    child.once('close', (exit) => resolve(exit ?? 1));
  });
  clearTimeout(limit);
  const totals = readTotals(report, code);
  rmSync(folder, { recursive: true, force: true });
  return totals;
}

function readTotals(file: string, code: number): Totals {
  if (!existsSync(file)) {
    console.error(`jest ended with ${code} and left no report.`);
    return { passed: 0, failed: code === 0 ? 0 : 1, isGreen: code === 0, failedFiles: {}, unsteadyFiles: {} };
  }
  const report = JSON.parse(readFileSync(file, 'utf8')) as JestReport;
  return {
    passed: report.numPassedTests,
    // A file that cannot even be loaded holds tests that did not pass.
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    isGreen: report.success && code === 0,
    failedFiles: Object.fromEntries(
      report.testResults
        .filter((file) => file.status === 'failed')
        .map((file) => [path.relative(projectRoot, file.name), reasonOf(file)]),
    ),
    unsteadyFiles: {},
  };
}

const SHOWN_LINES = 24;
const COLOURS = /\x1b\[[\d;]*m/g;

/** The first lines say which test failed, and what it expected. Of the other tests their names are enough. */
function reasonOf({ message, assertionResults }: JestReport['testResults'][number]): string {
  const lines = message
    .replaceAll(COLOURS, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const [, ...others] = assertionResults.filter(({ status }) => status === 'failed');
  return [...lines.slice(0, SHOWN_LINES), ...others.map(({ fullName }) => `also failed: ${fullName}`)].join('\n');
}

export function addTotals(all: Totals[]): Totals {
  return {
    passed: all.reduce((sum, each) => sum + each.passed, 0),
    failed: all.reduce((sum, each) => sum + each.failed, 0),
    isGreen: all.every((each) => each.isGreen),
    failedFiles: Object.fromEntries(all.flatMap((each) => Object.entries(each.failedFiles))),
    unsteadyFiles: Object.fromEntries(all.flatMap((each) => Object.entries(each.unsteadyFiles))),
  };
}
