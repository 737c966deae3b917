import { TestPlatform } from '@switchyard/testing';
import { StopSentence } from '../launcher/stop-sentence';
import { untilSignal } from '../launcher/until-signal';
import { parseTestOptions } from '../test/test-options';
import { withTestPlatform } from '../test/test-platform';
import { type CommandOptions, chaosHelp, parseChaosOptions } from './chaos-options';
import { type ChaosReport, runChaos } from './chaos-run';
import type { Control } from './sabotage';

const SERVICES = ['key', 'gateway', 'event-bus', 'task'] as const;

// The load is the test's own, from one credential.
const LIMITS = {
  RATE_LIMIT_PER_MINUTE: '10000000',
  SPACE_RATE_LIMIT_PER_MINUTE: '10000000',
  ADDRESS_RATE_LIMIT_PER_MINUTE: '10000000',
};

const say = (line: string): void => {
  console.log(line);
};

function setEnvironment(variables: NodeJS.ProcessEnv): void {
  for (const [name, value] of Object.entries(variables)) process.env[name] = value;
}

async function runOnce(
  options: CommandOptions,
  ending: Promise<unknown>,
  without?: Control,
): Promise<ChaosReport | undefined> {
  say(
    `\nseed ${options.seed}: ${options.emissions} emissions, ${options.faults} faults${without ? `, without the guard "${without}"` : ''}`,
  );
  const { keep, verbose } = options;
  const testOptions = { ...parseTestOptions([]), services: [...SERVICES], keep, verbose, everything: false };
  return withTestPlatform(testOptions, ending, async (environment) => {
    setEnvironment(environment);
    const platform = new TestPlatform();
    try {
      return await runChaos(platform, {
        ...options,
        maxMs: 1_200_000,
        quietMs: without ? 60_000 : 240_000,
        repeats: options.emissions,
        without,
        say,
      });
    } finally {
      await platform.database.close();
    }
  });
}

function tell(report: ChaosReport): void {
  const { violations, ...numbers } = report;
  say(JSON.stringify(numbers, null, 2));
  for (const { rule, detail } of violations) say(`  broken: ${rule}: ${detail}`);
  say(
    violations.length === 0
      ? 'every rule held'
      : `${violations.length} violations; the same faults again: --seed ${report.seed}`,
  );
}

async function chaos(): Promise<number> {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    process.stdout.write(chaosHelp);
    return 0;
  }
  const options = parseChaosOptions(args);
  const ending = untilSignal();
  setEnvironment(LIMITS);
  let isGood = true;
  for (const without of [...(options.whole ? [undefined] : []), ...options.without]) {
    const report = await runOnce(options, ending, without);
    if (!report) return 130;
    tell(report);
    const isAsExpected = without === undefined ? report.violations.length === 0 : report.violations.length > 0;
    if (without !== undefined)
      say(isAsExpected ? `found out, as it must be: no ${without}` : `NOT found out: no ${without}`);
    isGood &&= isAsExpected;
  }
  return isGood ? 0 : 1;
}

chaos().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof StopSentence || error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
