import { readFileSync } from 'node:fs';
import path from 'node:path';
import { platformEventsPage } from './platform-events';

const words = (text: string): string[] =>
  text
    .replaceAll(/\| :?-+ /gu, '| - ')
    .split(/\s+/u)
    .filter((word) => !/^-+$/u.test(word));

it('docs/reference/platform-events.md has what the table of events has', () => {
  const page = readFileSync(path.resolve(__dirname, '../../docs/reference/platform-events.md'), 'utf8');
  expect(words(page)).toEqual(words(platformEventsPage()));
});
