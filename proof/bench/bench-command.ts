import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { PlatformState } from '@switchyard/testing';
import { StopSentence } from '../../tools/launcher/stop-sentence';
import { untilSignal } from '../../tools/launcher/until-signal';
import { parseTestOptions } from '../../tools/test/test-options';
import { withTestPlatform } from '../../tools/test/test-platform';
import { type Calibration, calibrate } from './calibration';
import { type BenchRecord, type BenchMeasured, behind, missing, recorded } from './record';
import type { BenchRow, Shape } from './row';
import { rows } from './rows';
import { labelled, shapesOf } from './shape';
import { runOnShippedNode, withoutNodeFlag } from './shipped-node';
import { table } from './table';

const FLAGS = ['--check', '--record'];
/** Longer than the test client keeps a connection. */
const IDLE_CONNECTIONS_MS = 1_500;
/** Written by a run that records, and by `npm run docs` after it: the next run is still one of this commit. */
const RECORDED = ['proof/bench/record.json', 'docs/evidence'];
const RECORD = path.resolve(__dirname, '../../../proof/bench/record.json');
/** As users run it: what makes a platform fit for tests makes it slower. */
const AS_USERS = {
  NODE_ENV: 'production',
  FAILPOINTS: 'false',
  RETENTION_EVERY_MS: undefined,
  RELAY_SWEEP_SECONDS: undefined,
  RELAY_DEAD_AFTER_SECONDS: undefined,
  SESSION_LATENCY_INTERVAL_MS: undefined,
  RELAY_USAGE_INTERVAL_MS: undefined,
  // If it is not set, as with `npm start`.
  RELAY_JOURNAL_FOLDER: process.env.RELAY_JOURNAL_FOLDER,
  // They are counted, and never reached.
  RATE_LIMIT_PER_MINUTE: '1000000000',
  SPACE_RATE_LIMIT_PER_MINUTE: '1000000000',
};
const SHAPES: readonly Shape[] = ['hosts', 'services'];
const SHOWN_SHAPE: Readonly<Record<Shape, string>> = {
  hosts: 'processes as npm start has them',
  services: 'a process per service',
};

const readRecord = (): BenchRecord => JSON.parse(readFileSync(RECORD, 'utf8')) as BenchRecord;

function commit(): string {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: __dirname, encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain', '--', ':/', ...RECORDED.map((file) => `:(top,exclude)${file}`));
  return changed === '' ? git('rev-parse', '--short', 'HEAD') : `after ${git('rev-parse', '--short', 'HEAD')}`;
}

interface Outcome {
  shape: Shape;
  benches: readonly string[];
  measured: BenchMeasured[];
  calibration: Calibration;
}

/** `--check`: what falls behind the record makes it red, and targets do not. `--record`: from now on this is the record. */
function judge(outcomes: readonly Outcome[], flags: ReadonlySet<string>): number {
  const record = readRecord();
  const lapsed = flags.has('--check')
    ? outcomes.flatMap((each) => [...behind(record, each.measured, each), ...missing(record, each.measured, each)])
    : [];
  for (const line of lapsed) console.error(`behind the record: ${line}`);
  if (flags.has('--record')) {
    const run = { commit: commit(), node: process.version };
    const next = outcomes.reduce((all, { measured, ...each }) => recorded(all, measured, { ...run, ...each }), record);
    writeFileSync(RECORD, `${JSON.stringify(next, null, 2)}\n`);
  }
  if (flags.size > 0) return lapsed.length === 0 ? 0 : 1;
  return outcomes.every(({ measured }) => measured.every(({ met }) => met)) ? 0 : 1;
}

/** Measures these rows on a platform that has started. */
async function measure(chosen: readonly BenchRow[], shape: Shape, environment: NodeJS.ProcessEnv): Promise<Outcome> {
  for (const [name, value] of Object.entries(environment)) process.env[name] = value;
  const state = JSON.parse(readFileSync(environment.SWITCHYARD_TEST_STATE ?? '', 'utf8')) as PlatformState;
  const all: BenchMeasured[] = [];
  const calibration = await calibrate(state);
  for (const row of chosen) {
    // A row that computes for long leaves connections that the gateway has closed meanwhile: they are dropped here.
    await setTimeout(IDLE_CONNECTIONS_MS);
    console.log(`\n${row.name}, ${SHOWN_SHAPE[shape]}`);
    const measured = await row.run({
      state,
      shape,
      report: (line) => {
        console.log(`  ${line}`);
      },
    });
    all.push(...measured.map((each) => ({ ...labelled(each, row, shape), bench: row.name })));
  }
  return { shape, benches: chosen.map(({ name }) => name), measured: all, calibration };
}

/** Runs the named rows, or all, one after the other, on a platform of their own in each shape. */
async function bench(): Promise<number> {
  const given = process.argv.slice(2);
  const code = await runOnShippedNode(given);
  if (code !== null) return code;
  const args = withoutNodeFlag(given);
  console.log(`Node ${process.version}`);
  const flags = new Set(args.filter((arg) => FLAGS.includes(arg)));
  const options = parseTestOptions(args.filter((arg) => !flags.has(arg)));
  const names = options.jestArgs;
  const chosen = rows.filter(({ name, onlyByName }) => (names.length === 0 ? !onlyByName : names.includes(name)));
  if (chosen.length === 0) throw new StopSentence(`No such row. There are ${rows.map(({ name }) => name).join(', ')}.`);
  const ending = untilSignal();
  const outcomes: Outcome[] = [];
  for (const shape of SHAPES) {
    const measurable = chosen.filter((row) => shapesOf(row, process.env.SWITCHYARD_PROCESSES).includes(shape));
    if (measurable.length === 0) continue;
    const outcome = await withTestPlatform(options, ending, (environment) => measure(measurable, shape, environment), {
      ...AS_USERS,
      SWITCHYARD_PROCESSES: shape,
    });
    if (!outcome) return 130;
    outcomes.push(outcome);
  }
  console.log(`\n${table(outcomes.flatMap(({ measured }) => measured))}`);
  return judge(outcomes, flags);
}

bench().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof StopSentence ? error.message : error);
    process.exit(1);
  },
);
