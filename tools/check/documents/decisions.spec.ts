import { readFileSync } from 'node:fs';

const FOLDER = 'docs/contribute/decisions';
const index = readFileSync(`${FOLDER}/README.md`, 'utf8');
/** The status of each record in the index, except for the ones in force as they are. */
const changed = [...index.matchAll(/^\| \[\d+\]\(([^)]+)\).*\| ((?:Amended|Superseded) by [^|]+?) *\|$/gmu)].map(
  ([, file = '', status = '']) => [file, status] as const,
);

test('the index names changed decisions', () => {
  expect(changed.length).toBeGreaterThan(5);
});

test.each(changed)('%s says what the index says: %s', (file, status) => {
  const note = /^_((?:Amended|Superseded) .+)\.?_$/mu.exec(readFileSync(`${FOLDER}/${file}`, 'utf8'))?.[1] ?? '';
  expect(note.split(' ')[0]).toBe(status.split(' ')[0]);
  for (const [number] of status.matchAll(/\d+/gu)) expect(note).toContain(`[ADR ${number}](`);
});
