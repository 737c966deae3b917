import { documents, textOf } from './documents';

const FOLDER = 'docs/contribute/decisions/';

test('the index of decisions has each record once, with a status', () => {
  const rows = [
    ...textOf(`${FOLDER}README.md`).matchAll(
      /^\| \[(\d+)\]\(([^)]+)\) +\| [^|]+\| (?:Accepted|Rejected|Amended by|Superseded by)/gm,
    ),
  ];
  const records = documents
    .filter((document) => document.startsWith(`${FOLDER}0`))
    .map((document) => document.slice(FOLDER.length));
  expect(rows.map(([, , file]) => file).toSorted()).toEqual(records);
  for (const [, number, file = ''] of rows) expect(Number(file.slice(0, 4))).toBe(Number(number));
});
