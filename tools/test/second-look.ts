import { type Totals, runJest } from './jest-run';

/** More than a machine's bad moment explains. */
const MOST = 3;

/**
 * Tests of running servers, and others beside them, can fail because the machine stood still for seconds. In a whole run a file that failed is run
 * once more, alone. When it passes then, the run passes, and the file goes into the list of unsteady ones: an unsteady test
 * is a defect as well, of the test or of what it tests, but no reason to hold back a change that did not cause it. In the
 * next run that it needs a second look, the run is red. Runs of single files, and the checks alone, have no second look.
 */
export async function lookAgain(
  project: 'unit' | 'e2e' | 'faults',
  first: Totals,
  env: NodeJS.ProcessEnv = {},
): Promise<Totals> {
  const files = Object.keys(first.failedFiles);
  if (first.isGreen || files.length === 0 || files.length > MOST) return first;
  console.log(`\nA second look, alone, at what failed:\n  ${files.join('\n  ')}\n`);
  // Open handles of a failed test must not block later ones.
  const alone = ['--selectProjects', project, '--runInBand', '--forceExit', '--runTestsByPath'];
  const again = await runJest([...alone, ...files], { env });
  if (!again.isGreen) return { ...first, failedFiles: withBoth(first.failedFiles, again.failedFiles) };
  return {
    passed: first.passed + first.failed,
    failed: 0,
    isGreen: true,
    failedFiles: {},
    unsteadyFiles: first.failedFiles,
  };
}

/** The failures of both runs, which need not be the same. A second run that ended early says nothing of a file. */
export const withBoth = (first: Totals['failedFiles'], again: Totals['failedFiles']): Totals['failedFiles'] => {
  const without = Object.keys(again).length === 0 ? 'and the second run did not end' : 'and it passed alone';
  return Object.fromEntries(
    Object.entries(first).map(([file, reason]) => [
      file,
      `${reason}\n${again[file] === undefined ? without : `and alone:\n${again[file]}`}`,
    ]),
  );
};
