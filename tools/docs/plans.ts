import type { BenchRecord } from '../../proof/bench/record';

/** The page of how Postgres finds what services are asked for, at the sizes of the benches. */
export function plansPage(record: BenchRecord): string {
  const rows = Object.entries(record).filter(([, { plan }]) => plan !== undefined);
  const benches = [...new Set(rows.map(([, { bench }]) => bench))];
  return [
    '# Query plans',
    '',
    "How Postgres answers lists and counts with about a million rows. Each row shows the index, the rows and 8 kB pages read, and the time of the statement that read the most pages, as `auto_explain` reports them for the service's own statements.\n\nAll lists below read an index and at most 8,000 rows. [Speed](speed.md#growth) has the times that callers see. `npm run bench executions sessions-growth ledger-growth -- --record` records these plans.",
    '',
    ...(rows.length === 0 ? ['None are recorded.', ''] : []),
    ...benches.flatMap((bench) => [
      `## ${bench}`,
      '',
      '| Request | Plan |',
      '|---|---|',
      ...rows
        .filter(([, row]) => row.bench === bench)
        .map(([name, { plan = '' }]) => `| ${name.split(' | ')[0] ?? ''} | ${plan} |`),
      '',
    ]),
  ].join('\n');
}
