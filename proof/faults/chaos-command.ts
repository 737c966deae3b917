import { TestPlatform } from '@switchyard/testing';
import { SERVICES as ALL_SERVICES, type ServiceName } from '../../tools/launcher/service-names';
import { StopSentence } from '../../tools/launcher/stop-sentence';
import { untilSignal } from '../../tools/launcher/until-signal';
import { parseTestOptions } from '../../tools/test/test-options';
import { withTestPlatform } from '../../tools/test/test-platform';
import { runApprovals } from './approvals/approval-run';
import { type CommandOptions, type PlannedRun, chaosHelp, parseChaosOptions, runsOf } from './chaos-options';
import { runChaos } from './chaos-run';
import { runChat } from './chat/chat-run';
import { runDisk } from './disk/disk-run';
import { runJobs } from './jobs/job-run';
import type { RunKind } from './sabotage';
import { type Verdict, verdictLine, verdictOf } from './verdict';
import type { Violation } from './violations';

const SERVICES: Record<RunKind, ServiceName[]> = {
  emissions: ['key', 'gateway', 'event-bus', 'task'],
  chat: ['key', 'gateway', 'agent', 'session', 'relay'],
  disk: ['key', 'gateway', 'event-bus', 'task'],
  jobs: ['key', 'gateway', 'agent', 'session', 'relay', 'job'],
  // All of them: the secret is looked for in everything that they keep.
  approvals: [...ALL_SERVICES],
};

// The load is the test's own, from one credential, and must not run out of tokens.
const LIMITS = {
  RATE_LIMIT_PER_MINUTE: '10000000',
  SPACE_RATE_LIMIT_PER_MINUTE: '10000000',
  ADDRESS_RATE_LIMIT_PER_MINUTE: '10000000',
  INITIAL_SPACE_TOKENS: '1000000000',
};

// The load must last longer than all that is done to the disks.
const DISK_PER_SECOND = 15;

const print = (line: string): void => {
  console.log(line);
};

function setEnvironment(variables: NodeJS.ProcessEnv): void {
  for (const [name, value] of Object.entries(variables)) process.env[name] = value;
}

interface Report {
  seed: number;
  violations: Violation[];
}

function run(platform: TestPlatform, options: CommandOptions, planned: PlannedRun): Promise<Report> {
  const { seed, callers, perSecond } = options;
  const { kind, work, faults, without } = planned;
  const quietMs = without ? 20_000 : 240_000;
  const given = {
    seed,
    faults,
    callers,
    maxMs: without ? 100_000 : 1_200_000,
    quietMs,
    wires: true,
    replicas: true,
    without,
    print,
  };
  switch (kind) {
    case 'emissions':
      return runChaos(platform, { ...given, emissions: work, perSecond, repeats: work });
    case 'chat':
      return runChat(platform, { ...given, turns: work });
    case 'disk':
      return runDisk(platform, { ...given, emissions: work, perSecond: DISK_PER_SECOND });
    case 'jobs':
      return runJobs(platform, { ...given, jobs: work });
    case 'approvals':
      return runApprovals(platform, { ...given, turns: work });
  }
}

async function onPlatform(
  options: CommandOptions,
  ending: Promise<unknown>,
  planned: PlannedRun,
): Promise<Report | undefined> {
  const { keep, verbose } = options;
  const services = SERVICES[planned.kind];
  const testOptions = { ...parseTestOptions([]), services, keep, verbose, suite: 'named' as const };
  return withTestPlatform(testOptions, ending, async (environment) => {
    setEnvironment(environment);
    const platform = new TestPlatform();
    try {
      return await run(platform, options, planned);
    } finally {
      await platform.database.close();
    }
  });
}

const again = ({ kind, work, faults, without }: PlannedRun, seed: number): string =>
  without
    ? `npm run test:faults -- --without ${without} --seed ${seed}`
    : `npm run test:faults -- --only ${kind} --${kind} ${work} --faults ${faults} --seed ${seed}`;

function notify(planned: PlannedRun, { violations, ...numbers }: Report, { counted, others }: Verdict): void {
  print(JSON.stringify(numbers, null, 2));
  for (const { rule, detail } of counted) print(`  broken: ${rule}: ${detail}`);
  for (const { rule, detail } of others) print(`  broken beside it: ${rule}: ${detail}`);
  print(
    violations.length === 0
      ? 'every rule held'
      : `${violations.length} violations; the same faults again: ${again(planned, numbers.seed)}`,
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
  const verdicts: string[] = [];
  let isGood = true;
  for (const planned of runsOf(options)) {
    const { kind, work, faults, without } = planned;
    const name = `${kind}${without ? ` without "${without}"` : ''}`;
    print(
      `\nseed ${options.seed}: ${work} ${kind}, ${faults} faults${without ? `, without the guard "${without}"` : ''}`,
    );
    const report = await onPlatform(options, ending, planned);
    if (!report) return 130;
    const verdict = verdictOf(report.violations, without);
    notify(planned, report, verdict);
    verdicts.push(verdictLine(name, verdict, without));
    isGood &&= verdict.isAsExpected;
  }
  print(`\n${verdicts.join('\n')}`);
  return isGood ? 0 : 1;
}

chaos().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof StopSentence || error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
