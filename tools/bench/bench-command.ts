import { readFileSync } from 'node:fs';
import type { PlatformState } from '@switchyard/testing';
import { StopSentence } from '../launcher/stop-sentence';
import { untilSignal } from '../launcher/until-signal';
import { parseTestOptions } from '../test/test-options';
import { withTestPlatform } from '../test/test-platform';
import type { Measured } from './row';
import { rows } from './rows';
import { table } from './table';

/** Runs the named rows, or all, on a platform of their own, one after the other. */
async function bench(): Promise<number> {
  const options = parseTestOptions(process.argv.slice(2));
  const names = options.jestArgs;
  const chosen = rows.filter(({ name, onlyByName }) => (names.length === 0 ? !onlyByName : names.includes(name)));
  if (chosen.length === 0) throw new StopSentence(`No such row. There are ${rows.map(({ name }) => name).join(', ')}.`);
  const measured = await withTestPlatform(options, untilSignal(), async (environment) => {
    for (const [name, value] of Object.entries(environment)) process.env[name] = value;
    const state = JSON.parse(readFileSync(environment.SWITCHYARD_TEST_STATE ?? '', 'utf8')) as PlatformState;
    const all: Measured[] = [];
    for (const row of chosen) {
      console.log(`\n${row.name}`);
      all.push(
        ...(await row.run({
          state,
          report: (line) => {
            console.log(`  ${line}`);
          },
        })),
      );
    }
    return all;
  });
  if (!measured) return 130;
  console.log(`\n${table(measured)}`);
  return measured.every(({ met }) => met) ? 0 : 1;
}

bench().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof StopSentence ? error.message : error);
    process.exit(1);
  },
);
