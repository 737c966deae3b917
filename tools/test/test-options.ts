import { ProcessFindings } from './process-findings';
import { serviceList } from '../launcher/options';
import type { ServiceName } from '../launcher/service-names';
import { StopSentence } from '../launcher/stop-sentence';
import { stallLimitMs } from './stall-limit';
import type { Suite } from './suites';

export interface TestOptions {
  services: readonly ServiceName[];
  jestArgs: string[];
  /** Leaves the temporary home behind, to look at its logs and data. */
  keep: boolean;
  verbose: boolean;
  /** Writes tools/api-coverage/api-coverage.md anew from what the tests see. */
  writesApiCoverage: boolean;
  /** How many platforms the tests that kill processes are spread over; one such file at a time runs on each. */
  platforms: number;
  suite: Suite;
  /** Of all platforms of the run. */
  findings: ProcessFindings;
  /** From how much processor time on a stall of an event loop is a finding. */
  stallMs: number;
}

export const testHelp = `npm test                          the checks, the unit tests and most tests against running servers
npm run test:nightly              the long tests, and those of every fault
node tools/test.mjs [options] [jest arguments]

  --services a,b   start only these services (default: all)
  --platforms 2    spread the tests that kill processes over as many platforms (default: 1; 4 for a suite)
  --keep           leave the temporary homes behind
  --verbose        show what the services warn of
  --write-api-coverage   write tools/api-coverage/api-coverage.md from what the tests see: both suites, or the rows of the named files
`;

const NIGHTLY = '--nightly';
const WRITES_COVERAGE = '--write-api-coverage';
const PLATFORMS_OF_SUITE = 4;

function suiteOf(args: string[]): Suite {
  if (args.includes(NIGHTLY)) return 'nightly';
  if (args.length === 1 && args[0] === WRITES_COVERAGE) return 'whole';
  return args.length === 0 ? 'daily' : 'named';
}

export function parseTestOptions(args: string[]): TestOptions {
  const suite = suiteOf(args);
  const options: TestOptions = {
    services: serviceList(undefined),
    jestArgs: [],
    keep: false,
    verbose: false,
    writesApiCoverage: false,
    platforms: suite === 'named' ? 1 : PLATFORMS_OF_SUITE,
    suite,
    findings: new ProcessFindings(),
    stallMs: stallLimitMs(),
  };
  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index] ?? '';
    if (argument === '--services') options.services = serviceList(args[(index += 1)]);
    else if (argument.startsWith('--services=')) options.services = serviceList(argument.slice('--services='.length));
    else if (argument === '--platforms') options.platforms = countOf(args[(index += 1)]);
    else if (argument === '--keep') options.keep = true;
    else if (argument === '--verbose') options.verbose = true;
    else if (argument === NIGHTLY) continue;
    else if (argument === WRITES_COVERAGE) options.writesApiCoverage = true;
    else options.jestArgs.push(argument);
  }
  return options;
}

function countOf(text = ''): number {
  if (/^[1-9]$/.test(text)) return Number(text);
  throw new StopSentence('--platforms takes a number from 1 to 9.');
}
