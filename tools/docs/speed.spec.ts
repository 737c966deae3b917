import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rows } from '../../proof/bench/rows';
import type { BenchRecord } from '../../proof/bench/record';
import { plansPage } from './plans';
import { speedPage } from './speed';
import { speedInShort } from './speed-in-short';

const fileOf = (name: string): string => readFileSync(join(__dirname, '../..', name), 'utf8');
const record = JSON.parse(fileOf('proof/bench/record.json')) as BenchRecord;

test('the page of the figures is that of the record (npm run docs writes it)', () => {
  expect(fileOf('docs/evidence/speed.md')).toBe(speedPage(record));
});

test('it shows every recorded row, and names every bench', () => {
  const page = speedPage(record);
  for (const { name } of rows) expect(page).toMatch(new RegExp(`npm run bench [a-z -]*\\b${name}\\b`));
  for (const name of Object.keys(record)) expect(page).toContain(`| ${name.split(' | ')[0] ?? ''} |`);
});

test('its summary has ten lines, and a row that is missing takes its line away', () => {
  const lines = (given: BenchRecord): string[] => speedInShort(given).filter((line) => line.startsWith('- '));
  expect(lines(record)).toHaveLength(10);
  const { 'an emission and its run | -': _, ...rest } = record;
  expect(lines(rest)).toHaveLength(9);
});

test('the page of the plans is that of the record', () => {
  expect(fileOf('docs/evidence/plans.md')).toBe(plansPage(record));
});
