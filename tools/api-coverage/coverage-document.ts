import type { LoggedCall } from '@switchyard/testing';
import { type Route, routeOf } from './routes';

export interface CoverageRow {
  route: string;
  status: number;
  file: string;
  test: string;
}

const intro = `# Every endpoint, every status, and the test that proves it

Written by \`node tools/test.mjs --write-api-coverage\` from what the tests saw over HTTP; with names of test files it
renews the rows of these alone. \`npm run check\` fails on a route
without a row for its success, on a refusal of its own that has neither a row nor a place in the list at the end, and on a
row whose test is gone. Statuses that every route shares (429, 500, 503, and 403 for a missing role or scope) are proven
once for all of them, by the matrix of access and the faults tests.
`;

/** Of all tests that saw an answer, the one that did the least else names the row. */
export function rowsFrom(calls: readonly LoggedCall[], routes: readonly Route[], root: string): CoverageRow[] {
  const breadth = new Map<string, Set<string>>();
  const seen = calls.flatMap((call) => {
    const route = routeOf(routes, call.method, call.path);
    if (!route) return [];
    const key = `${call.file}\n${call.test}`;
    const path = `${route.name} ${call.status}`;
    breadth.set(key, (breadth.get(key) ?? new Set()).add(path));
    return [{ route: route.name, status: call.status, file: call.file.replace(`${root}/`, ''), test: call.test, key }];
  });
  const best = new Map<string, (typeof seen)[number]>();
  const size = (key: string): number => breadth.get(key)?.size ?? 0;
  for (const each of seen) {
    const path = `${each.route} ${each.status}`;
    const existing = best.get(path);
    if (!existing || isBetter(each, existing, size)) best.set(path, each);
  }
  const order = new Map(routes.map((route, index) => [route.name, index]));
  return sorted(
    [...best.values()].map(({ route, status, file, test }) => ({ route, status, file, test })),
    order,
  );
}

/**
 * The rows of a run of some files, put into those of earlier runs. A row of an earlier run stays unless its file has run
 * again, so that the document changes only where tests have changed.
 */
export function merged(
  earlier: readonly CoverageRow[],
  seen: readonly CoverageRow[],
  filesRun: ReadonlySet<string>,
  routes: readonly Route[],
): CoverageRow[] {
  const order = new Map(routes.map((route, index) => [route.name, index]));
  const rows = new Map(seen.map((row) => [`${row.route} ${row.status}`, row]));
  for (const row of earlier)
    if (!filesRun.has(row.file) && order.has(row.route)) rows.set(`${row.route} ${row.status}`, row);
  return sorted([...rows.values()], order);
}

const sorted = (rows: CoverageRow[], order: ReadonlyMap<string, number>): CoverageRow[] =>
  rows.sort((a, b) => (order.get(a.route) ?? 0) - (order.get(b.route) ?? 0) || a.status - b.status);

interface CoveredRow extends CoverageRow {
  key: string;
}

function isBetter(one: CoveredRow, other: CoveredRow, size: (key: string) => number): boolean {
  const difference = size(one.key) - size(other.key);
  return difference !== 0 ? difference < 0 : one.file + one.test < other.file + other.test;
}

/** Proven once for all routes. */
const shared = new Set([429, 500, 503]);

/** Declared statuses of the routes that no row proves. */
export function unproven(rows: readonly CoverageRow[], routes: readonly Route[]): string[] {
  const proven = new Set(rows.map(({ route, status }) => `${route} ${status}`));
  const promised = routes.flatMap(({ name, statuses }) =>
    statuses.filter((status) => !shared.has(status)).map((status) => `${name} ${status}`),
  );
  return promised.filter((path) => !proven.has(path));
}

export function readUnproven(text: string): string[] {
  return [...text.matchAll(/^- `(.+)`$/gm)].map(([, path = '']) => path);
}

export function writeDocument(rows: readonly CoverageRow[], missing: readonly string[] = []): string {
  const lines = rows.map(
    ({ route, status, file, test }) => `| \`${route}\` | ${status} | ${test.replaceAll('|', '\\|')} | ${file} |`,
  );
  return `${intro}\n| endpoint | status | test | file |\n| --- | --- | --- | --- |\n${lines.join('\n')}\n${listOf(missing)}`;
}

export function readDocument(text: string): CoverageRow[] {
  return text.split('\n').flatMap((line) => {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
    const [, endpoint = '', status = '', test = '', file = ''] = cells;
    const route = /^`(.+)`$/.exec(endpoint)?.[1];
    return route ? [{ route, status: Number(status), test, file }] : [];
  });
}

const listOf = (missing: readonly string[]): string =>
  missing.length === 0 ? '' : `\n## Not seen by a test yet\n\n${missing.map((path) => `- \`${path}\``).join('\n')}\n`;
