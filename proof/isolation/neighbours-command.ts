import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { TestPlatform } from '@switchyard/testing';
import { StopSentence } from '../../tools/launcher/stop-sentence';
import { untilSignal } from '../../tools/launcher/until-signal';
import { parseTestOptions } from '../../tools/test/test-options';
import { withTestPlatform } from '../../tools/test/test-platform';
import { type NeighbourOptions, neighboursHelp, parseNeighbourOptions } from './neighbours-options';
import type { AttackOutcome } from './outcome';
import { neighbourTable } from './report';
import { NEIGHBOURS } from './rows';
import { measureNeighbour, quietTimes } from './run-neighbour';
import { runScale } from './scale/scale';
import { runSoak } from './soak';
import { VictimProcess } from './victim-handle';

/** Runs of scale come from one credential, which would meet the limits of its rate first. */
const SCALE_LIMITS = {
  RATE_LIMIT_PER_MINUTE: '10000000',
  SPACE_RATE_LIMIT_PER_MINUTE: '10000000',
  CONNECTIONS: '100000',
  CONNECTIONS_PER_CREDENTIAL: '100000',
  CONNECTIONS_PER_SPACE: '100000',
  STREAMS_PER_CREDENTIAL: '100000',
  WAITS_PER_CREDENTIAL: '100000',
  WAITS_PER_SPACE: '100000',
  WAITS_PER_PROCESS: '100000',
};

const print = (line: string): void => {
  console.log(line);
};

async function runRows(platform: TestPlatform, options: NeighbourOptions): Promise<AttackOutcome[]> {
  const victim = await VictimProcess.begin();
  const outcomes: AttackOutcome[] = [];
  try {
    let quiet = await quietTimes(victim, options.quietMs);
    print(`quiet, p95 in ms: ${JSON.stringify(quiet)}`);
    for (const row of NEIGHBOURS.filter(({ name }) => options.rows.length === 0 || options.rows.includes(name))) {
      print(`\n${row.name}: ${row.bound}`);
      const outcome: AttackOutcome = await measureNeighbour(platform, row, { ...options, victim, quiet }).catch(
        (error: unknown) => ({
          name: row.name,
          bound: row.bound,
          statuses: {},
          quiet: {},
          attacked: {},
          memoryGrowth: {},
          broken: [`the attack could not be made: ${error instanceof Error ? error.message : String(error)}`],
        }),
      );
      for (const broken of outcome.broken) print(`  ${broken}`);
      outcomes.push(outcome);
      if (outcome.quietAfter) quiet = outcome.quietAfter;
    }
  } finally {
    victim.end();
  }
  print(`\n${neighbourTable(outcomes)}`);
  return outcomes;
}

/** The figures of what was asked for, and whether all of it holds. */
async function runAll(
  platform: TestPlatform,
  options: NeighbourOptions,
): Promise<{ figures: object; isGood: boolean }> {
  if (options.scale.length > 0) {
    const figures = [];
    for (const name of options.scale) figures.push(await runScale(platform, name, options.count, print));
    return { figures, isGood: figures.every(({ broken }) => broken.length === 0) };
  }
  if (options.soakMinutes > 0) {
    const soak = await runSoak(platform, options.soakMinutes, print);
    return { figures: soak, isGood: soak.broken.length === 0 };
  }
  const outcomes = await runRows(platform, options);
  return { figures: outcomes, isGood: outcomes.every(({ broken }) => broken.length === 0) };
}

async function neighbours(): Promise<number> {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    process.stdout.write(neighboursHelp);
    return 0;
  }
  const options = parseNeighbourOptions(args, os.tmpdir());
  // Attacks come from an address of their own; the usual limit of an address is part of what is tried.
  process.env.ADDRESS_RATE_LIMIT_PER_MINUTE ??= '6000';
  process.env.INITIAL_SPACE_TOKENS ??= '1000000000';
  if (options.scale.length > 0) for (const [name, value] of Object.entries(SCALE_LIMITS)) process.env[name] ??= value;
  const testOptions = { ...parseTestOptions([]), keep: options.keep, verbose: options.verbose, everything: false };
  const result = await withTestPlatform(testOptions, untilSignal(), async (environment) => {
    for (const [name, value] of Object.entries(environment)) process.env[name] = value;
    const platform = new TestPlatform();
    try {
      return await runAll(platform, options);
    } finally {
      await platform.database.close();
    }
  });
  if (!result) return 130;
  const { findings } = testOptions;
  for (const line of findings.lines()) print(line);
  const machine = {
    cores: os.availableParallelism(),
    memoryMi: Math.round(os.totalmem() / 1024 ** 2),
    node: process.version,
  };
  writeFileSync(
    options.json,
    JSON.stringify({ at: new Date(), machine, ...result, findings: findings.lines() }, null, 2),
  );
  print(`figures kept in ${options.json}`);
  return result.isGood && findings.isEmpty ? 0 : 1;
}

neighbours().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof StopSentence || error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
