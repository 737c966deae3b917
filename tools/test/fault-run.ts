import type { TestOptions } from './test-options';
import { type Totals, runJest } from './jest-run';
import { saveLogs } from './saved-logs';
import { lookAgain } from './second-look';
import { withTestPlatform } from './test-platform';

/** Sweeps and sums are proved among the `e2e` files. Here they would be a fifth of what an idle platform takes. */
const WITHOUT_SWEEPS: NodeJS.ProcessEnv = {
  RETENTION_EVERY_MS: undefined,
  SESSION_LATENCY_INTERVAL_MS: undefined,
  RELAY_USAGE_INTERVAL_MS: undefined,
};

/**
 * Runs the files that kill what others need. They wait more than they work, so each platform has a worker of jest of its
 * own (tools/jest/platform-of-worker.js), and no two files ever share one at the same time.
 */
export async function runFaults(
  options: TestOptions,
  ending: Promise<unknown>,
  args: string[],
  running: NodeJS.ProcessEnv[],
): Promise<Totals | undefined> {
  if (running.length < options.platforms)
    return withTestPlatform(
      options,
      ending,
      (another) => runFaults(options, ending, args, [...running, another]),
      WITHOUT_SWEEPS,
    );
  const workers = running.length > 1 ? `--maxWorkers=${running.length}` : '--runInBand';
  const env = { ...running[0], SWITCHYARD_TEST_PLATFORMS: JSON.stringify(running) };
  const totals = await runJest(['--selectProjects', 'faults', workers, ...args], { env });
  if (totals.isGreen) return totals;
  saveLogs(running);
  if (options.suite === 'named') return totals;
  return lookAgain('faults', totals, {
    ...env,
    SWITCHYARD_TEST_PLATFORMS: JSON.stringify(running.slice(0, 1)),
  });
}
