import { OPERATIONS } from '../../apps/gateway/src/nats-api/operations';
import { formatted } from './formatted';

const HEAD = ['Operation', 'Route', 'Answer'];

const HTTP_ROW = [
  '`http`',
  'any route of the Space that accepts an API key; name it in the headers `Switchyard-Method` and `Switchyard-Path`',
  '',
];

const ANSWERS = {
  always: 'a stream',
  'unless false': 'a stream, unless `stream` is false',
  'if true': 'a stream, if `stream` is true',
};

/** A page with its table of the operations over NATS written from the gateway's table. */
export function withOperationTable(page: string): Promise<string> {
  const rows = OPERATIONS.map(({ operation, method, path, streams }) => [
    `\`${operation}\``,
    operation === 'ping' ? 'none: returns the account and its rights' : `\`${method} ${path}\``,
    streams === undefined ? '' : ANSWERS[streams],
  ]);
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |\n`;
  const table = [HEAD, HEAD.map(() => '---'), ...rows, HTTP_ROW].map(line).join('');
  const replaced = page.replace(/^\| Operation +\| Route .*\n(?:\|.*\n)+/m, table);
  if (replaced === page && !page.includes(table)) throw new Error('The page has no table of operations.');
  return formatted('page.md', replaced);
}
