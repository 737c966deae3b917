import { runToEnd } from '../launcher/processes/transient';
import { projectRoot } from '../launcher/project-root';
import { type Totals, runJest } from '../test/jest-run';

interface Check {
  name: string;
  command: string[];
}

const tool = (name: string): string => `node_modules/.bin/${name}`;

const checks: Check[] = [
  { name: 'format', command: [tool('prettier'), '--check', '--log-level=warn', '--cache', '.'] },
  {
    name: 'types',
    command: [
      tool('tsc'),
      '--noEmit',
      '-p',
      'tsconfig.json',
      '--incremental',
      '--tsBuildInfoFile',
      'node_modules/.cache/check.tsbuildinfo',
    ],
  },
  {
    name: 'lint',
    command: [tool('eslint'), '.', '--max-warnings=0', '--cache', '--cache-location', 'node_modules/.cache/eslint/'],
  },
  {
    name: 'boundaries',
    command: [
      tool('depcruise'),
      'apps',
      'libs',
      'tools',
      '--config',
      '.dependency-cruiser.cjs',
      '--output-type',
      'err',
    ],
  },
  { name: 'unused code', command: [tool('knip'), '--no-progress'] },
];

/** Runs every check, also after one has failed, so that one run shows all there is to mend. */
export async function runChecks(): Promise<{ isGreen: boolean; unit: Totals }> {
  let isGreen = true;
  for (const check of checks) {
    const startedAt = Date.now();
    const [command = '', ...args] = check.command;
    const outcome = await runToEnd(command, args, { cwd: projectRoot });
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    console.log(`${outcome.code === 0 ? 'ok    ' : 'FAILED'} ${check.name} (${seconds} s)`);
    if (outcome.code !== 0) console.log(`${outcome.stdout}${outcome.stderr}`.trim());
    isGreen &&= outcome.code === 0;
  }
  const unit = await runJest(['--selectProjects', 'unit', '--passWithNoTests']);
  return { isGreen: isGreen && unit.isGreen, unit };
}
