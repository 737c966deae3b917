import type { BenchRecord } from '../../proof/bench/record';

/** The page of how Postgres finds what services are asked for, at the sizes of the benches. */
export function plansPage(record: BenchRecord): string {
  const rows = Object.entries(record).filter(([, { plan }]) => plan !== undefined);
  const benches = [...new Set(rows.map(([, { bench }]) => bench))];
  return [
    '# Plans',
    '',
    "How Postgres finds the answers behind lists and counts where there is much to be found in: the indexes, the rows read, the pages of 8 kB, and the time of the slowest statement of the answer, as `auto_explain` says it of the service's own statements. `npm run bench executions sessions-growth ledger-growth -- --record` asks and records them; what callers wait for is in [speed](speed.md#growth).",
    '',
    ...(rows.length === 0 ? ['None are recorded.', ''] : []),
    ...benches.flatMap((bench) => [
      `## ${bench}`,
      '',
      '| asked for | found by |',
      '|---|---|',
      ...rows
        .filter(([, row]) => row.bench === bench)
        .map(([name, { plan = '' }]) => `| ${name.split(' | ')[0] ?? ''} | ${plan} |`),
      '',
    ]),
  ].join('\n');
}
