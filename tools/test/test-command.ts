import path from 'node:path';
import { runChecks } from '../check/checks';
import { runToEnd } from '../launcher/processes/transient';
import { StopSentence } from '../launcher/stop-sentence';
import { projectRoot } from '../launcher/project-root';
import { untilSignal } from '../launcher/until-signal';
import { runFaults } from './fault-run';
import { type Totals, addTotals, runJest } from './jest-run';
import { filesOf } from './suites';
import { parseTestOptions, testHelp } from './test-options';
import { saveLogs } from './saved-logs';
import { UnsteadyList } from './unsteady-list';
import { lookAgain } from './second-look';
import { withTestPlatform } from './test-platform';

/** A program of its own loads the gateway's routes. */
async function writeApiCoverage(calls: string, isWhole: boolean): Promise<void> {
  const script = path.join(projectRoot, 'dist/tools/api-coverage/write-api-coverage.js');
  const outcome = await runToEnd(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    script,
    calls,
    ...(isWhole ? [] : ['--merge']),
  ]);
  console.log(`${outcome.stdout}${outcome.stderr}`.trim());
}

const indented = (reason: string): string => reason.replaceAll(/^/gm, '    ');

async function test(): Promise<number> {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    process.stdout.write(testHelp);
    return 0;
  }
  const options = parseTestOptions(args);
  const ending = untilSignal();
  // Checks without a platform run beside the e2e tests. Three e2e files at a time keep two CPUs busy; fault tests use
  // two thirds, and unit tests the rest.
  let endE2e = (): void => undefined;
  const unitAfter = new Promise<void>((resolve) => (endE2e = resolve));
  const isSuite = options.suite !== 'named';
  const checks = isSuite && options.suite !== 'nightly' ? runChecks({ givesWay: true, unitAfter }) : undefined;
  let faults: Promise<Totals | undefined> | undefined;
  const e2e = await withTestPlatform(options, ending, async (environment) => {
    const argsOf = (project: 'e2e' | 'faults'): string[] => [
      '--passWithNoTests',
      ...filesOf(options.suite, project),
      ...options.jestArgs,
    ];
    // They wait more than they work.
    const workers = isSuite ? ['--maxWorkers=3'] : [];
    const calls = `${environment.SWITCHYARD_TEST_STATE ?? ''}.calls`;
    if (options.writesApiCoverage) environment.SWITCHYARD_TEST_CALLS = calls;
    const first = await runJest(['--selectProjects', 'e2e', ...workers, ...argsOf('e2e')], { env: environment });
    if (!first.isGreen) saveLogs([environment]);
    const calm = isSuite ? await lookAgain('e2e', first, environment) : first;
    endE2e();
    // These kill what the others need.
    faults = runFaults(options, ending, argsOf('faults'), [environment]);
    const faulty = await faults;
    if (options.writesApiCoverage) await writeApiCoverage(calls, options.suite === 'whole');
    return faulty && [calm, faulty];
  });
  // A second platform is to be gone as well.
  await faults;
  if (!e2e) return 130;
  const checked = await checks;
  const all = addTotals(checked ? [checked.unit, ...e2e] : e2e);
  console.log(`\n${all.passed} passed, ${all.failed} failed`);
  for (const name of checked?.failed ?? []) console.log(`FAILED: ${name}`);
  for (const [file, reason] of Object.entries(all.failedFiles)) console.log(`FAILED: ${file}:\n${indented(reason)}`);
  const twice = new UnsteadyList().note(all.unsteadyFiles);
  for (const [file, reason] of Object.entries(all.unsteadyFiles))
    console.log(`UNSTEADY: ${file} failed once, and passed alone:\n${indented(reason)}`);
  for (const { file, since } of twice) console.log(`UNSTEADY AGAIN: ${file} is on the list since ${since}; mend it`);
  for (const line of options.findings.lines()) console.log(line);
  return all.isGreen && twice.length === 0 && options.findings.isEmpty && (checked?.isGreen ?? true) ? 0 : 1;
}

test().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof StopSentence ? error.message : error);
    process.exit(1);
  },
);
