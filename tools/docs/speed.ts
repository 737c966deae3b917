import { cpuText } from '../../proof/bench/cpu';
import type { BenchRecord, RecordedRow } from '../../proof/bench/record';

interface Area {
  title: string;
  benches: readonly string[];
  /** Description of the measurement, with the section that explains its misses. */
  description: string;
}

const AREAS: readonly Area[] = [
  {
    title: 'Chat',
    benches: ['chat'],
    description:
      'Turns with everything on: access, one turn per session, metering, checkpoints, frames that can be replayed for 25 hours. Mastra stores nothing here, and LangGraph is its development server. Why some targets are missed: [chat](processor-time.md#chat).',
  },
  {
    title: 'Model calls',
    benches: ['relay'],
    description:
      "Calls of `/models/v1` through gateway and relay, with key check, limits, caps and metering. The bare relay checks and writes nothing; Portkey's gateway meters nothing. Why some targets are missed: [model calls](processor-time.md#model-calls).",
  },
  {
    title: 'Events',
    benches: ['events'],
    description:
      'The bare insert is a group commit of the same row; nothing is checked and nothing runs. The queues are libraries, asked from the call to the handler. Why some targets are missed: [events](processor-time.md#events).',
  },
  {
    title: 'Datasets',
    benches: ['datasets', 'datasets-http', 'vectors'],
    description:
      'Beside SQL by hand on a table with the same indexes, in the same Postgres. Why some targets are missed: [datasets](processor-time.md#datasets).',
  },
  {
    title: 'Between services, and at the door',
    benches: ['bus', 'gateway', 'key', 'mcp', 'announce', 'projections'],
    description:
      'A call between two services, a request that does nothing, the check of an API key, the same work over MCP as over REST, an announced event, and streams in the formats of others, of which some cost the gateway more than the target: [streams of other clients](processor-time.md#streams-of-other-clients).',
  },
  {
    title: 'Growth',
    benches: [
      'events-growth',
      'datasets-growth',
      'executions',
      'spaces-growth',
      'sessions-growth',
      'ledger-growth',
      'console',
    ],
    description:
      'The same work while its surroundings grow: a million envelopes, records, executions, sessions and entries of the ledger, ten thousand Spaces, subscriptions and chats. Numbers of Spaces come one after the other instead of taking turns: what they took, by the clock and in processor time, is scaled by the processor time that the gateway took in the same minute for requests that ask for nothing. How the answers are found: [plans](plans.md). Two searches of titles miss because row-level security lets Postgres use no index of trigrams, so that it reads all titles of the user in their index; the costs of 1,000 turns because they are 4,000 entries of the ledger, each on a page of its own.',
  },
  {
    title: 'Start, and at rest',
    benches: ['start', 'idle'],
    description:
      'How long `npm start` takes once everything is made, what the services hold then, and what the idle platform takes ([scaling](scaling.md#what-an-idle-platform-costs)).',
  },
];

const figure = (value: number | undefined, unit: string): string =>
  value === undefined
    ? ''
    : `${value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 2 : 0 })} ${unit}`.trim();

/** The value that the target applies to, if it is not our figure. */
function against({ ours = NaN, theirs = NaN, ratio, judged, unit }: RecordedRow): string {
  if (judged === 'ours') return '';
  return judged === 'added' ? `+${(ours - theirs).toFixed(1)} ${unit}` : ratio.toPrecision(3);
}

function lineOf(name: string, row: RecordedRow): string {
  const [what = '', open = ''] = name.split(' | ');
  const cells = [
    what,
    figure(row.ours, row.unit),
    open === '-' ? '' : `${figure(row.theirs, row.unit)}${row.theirs === undefined ? '' : ': '}${open}`,
    against(row),
    row.target,
    row.met ? 'met' : '**missed**',
    cpuText(row.cpu ?? {}),
  ];
  return `| ${cells.join(' | ')} |`;
}

function linesOf(bench: string, record: BenchRecord): string[] {
  const rows = Object.entries(record).filter(([, row]) => row.bench === bench);
  if (rows.length === 0) return [`| (\`${bench}\` is not recorded) | | | | | | |`];
  return rows.map(([name, row]) => lineOf(name, row));
}

const HEAD = [
  '| what | ours | beside | ratio or difference | target | | processor time of one |',
  '|---|---|---|---|---|---|---|',
];

/** The page of all that was measured last. */
export function speedPage(record: BenchRecord): string {
  const areas = AREAS.flatMap(({ title, benches, description }) => [
    `## ${title}`,
    '',
    `\`npm run bench ${benches.join(' ')}\`. ${description}`,
    '',
    ...HEAD,
    ...benches.flatMap((bench) => linesOf(bench, record)),
    '',
  ]);
  return [
    '# Speed',
    '',
    'The figures of `npm run bench` as they were recorded last, on two cores that carried the callers and the servers as well. Rows are recorded at different commits (`proof/bench/record.json` names them); of rows without figures only the ratio was kept. The speed of the machine itself changes twofold within an hour, so figures of different runs do not compare. What counts is the ratio, which is measured in one run with both sides taking turns, and the processor time of one operation in each process. Targets that are missed stay here.',
    '',
    ...areas,
  ].join('\n');
}
