import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rows } from '../../proof/bench/rows';
import { anchorsOf } from '../check/documents/links';
import { REASON_SECTIONS, reasonOf } from './missed-targets';
import type { BenchRecord } from '../../proof/bench/record';
import { plansPage } from './plans';
import { speedPage } from './speed';
import { speedInShort } from './speed-in-short';

const fileOf = (name: string): string => readFileSync(join(__dirname, '../..', name), 'utf8');
const chatRow = { bench: 'chat', commit: 'abc', ratio: 3.27, ours: 3.27, unit: 'ms', target: '<= 2.8 ms', met: false };
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

test('its summary says which lines were recorded with a process per service', () => {
  const lineOf = (shape: 'hosts' | 'services'): string | undefined =>
    speedInShort({ 'chat, a turn among 500 | -': { ...chatRow, shape } }).find((line) => line.startsWith('- '));
  expect(lineOf('services')).toBe(
    '- A core serves 310 chat turns a second, each of 40 words and stored. (A process per service.)',
  );
  expect(lineOf('hosts')).toBe('- A core serves 310 chat turns a second, each of 40 words and stored.');
});

test('every missed target has a section with its reason and its bound', () => {
  const missed = Object.entries(record).filter(([, { met }]) => !met);
  const unexplained = missed.filter(([name, row]) => reasonOf(name.split(' | ')[0] ?? '', row) === undefined);
  expect(unexplained.map(([name]) => name)).toEqual([]);
  const text = fileOf('docs/evidence/processor-time.md');
  expect(anchorsOf(text)).toEqual(expect.arrayContaining(REASON_SECTIONS));
  const sections = text.split(/^#+ /mu);
  const withoutBound = REASON_SECTIONS.filter((section) => {
    const own = sections.find((each) => anchorsOf(`## ${each}`)[0] === section);
    return !own?.includes('**Bound:**');
  });
  expect(withoutBound).toEqual([]);
});

test('a missed row that is not explained is not said to be', () => {
  expect(reasonOf('memory of the index', { bench: 'vectors' })).toBeUndefined();
});

test('a row without a target keeps its figures and the link to its reason, and counts neither as met nor as missed', () => {
  const row = { ...chatRow, bench: 'datasets-http', unit: 'ms', target: 'none', judged: 'none', met: true } as const;
  const page = speedPage({ 'newest 50, over HTTP | SQL by hand': row });
  expect(page).toContain('| none | [not judged](processor-time.md#short-queries-over-http) |');
  expect(page).toContain('| all | 0 | 0 |');
});

test('the page of the plans is that of the record', () => {
  expect(fileOf('docs/evidence/plans.md')).toBe(plansPage(record));
});
