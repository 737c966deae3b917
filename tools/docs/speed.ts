import { cpuText } from '../../proof/bench/cpu';
import { type BenchRecord, type RecordedRow, shapeOf } from '../../proof/bench/record';
import { reasonOf } from './missed-targets';
import { speedInShort } from './speed-in-short';

interface Area {
  title: string;
  benches: readonly string[];
  /** Description of the measurement. */
  description: string;
}

const AREAS: readonly Area[] = [
  {
    title: 'Chat',
    benches: ['chat'],
    description:
      'Turns with everything on: access, one turn per session, metering, checkpoints, frames that can be replayed for 25 hours. One Mastra stores nothing, the other stores its threads and messages in the same Postgres; LangGraph is its development server. Peers run on Node 24.',
  },
  {
    title: 'Model calls',
    benches: ['relay'],
    description:
      "Calls of `/models/v1` through gateway and relay, with key check, limits, caps and metering. The bare relay checks and writes nothing; Portkey's gateway meters nothing.",
  },
  {
    title: 'Events',
    benches: ['events'],
    description:
      'The baseline is a group commit of the same row, without checks or runs. The queues are libraries, measured from the call to the handler.',
  },
  {
    title: 'Datasets',
    benches: ['datasets', 'datasets-http', 'vectors'],
    description:
      'Compared with handwritten SQL on a table with the same indexes, in the same Postgres. Over HTTP, the target applies beside a bare Fastify that checks the key and the request and names the tenant in its SQL; beside SQL by hand, only to queries that take it 2 ms or more.',
  },
  {
    title: 'Between services and at the gateway',
    benches: ['bus', 'gateway', 'key', 'mcp', 'nats-api', 'announce', 'projections'],
    description:
      'A call between two services, an empty request, the check of an API key, the same work over MCP, NATS and REST, a published event, and streams in the formats of other clients. An acknowledged delivery is read from Postgres, sent and stored; its emission is not included, and its targets were set before the first measurement.',
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
      'The same work with more data: a million envelopes, records, executions, sessions and ledger entries, and ten thousand Spaces, subscriptions and chats. Rows with numbers of Spaces run one after the other; their times are scaled by the CPU time of empty requests in the same minute. [Query plans](plans.md) shows how Postgres finds the answers.',
  },
  {
    title: 'Start and idle',
    benches: ['start', 'idle'],
    description:
      'The duration of a later `npm start`, the memory of the services, and the CPU of an idle platform ([scaling](scaling.md#idle-platform)).',
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

const SHAPES = { hosts: 'shared', services: 'one each' } as const;

const isJudged = ({ judged }: RecordedRow): boolean => judged !== 'none';

function outcomeOf(what: string, row: RecordedRow): string {
  if (row.met && isJudged(row)) return 'met';
  const outcome = isJudged(row) ? '**missed**' : 'not judged';
  const section = reasonOf(what, row);
  return section === undefined ? outcome : `[${outcome}](processor-time.md#${section})`;
}

function lineOf(name: string, row: RecordedRow): string {
  const [what = '', open = ''] = name.split(' | ');
  const cells = [
    what,
    SHAPES[shapeOf(row)],
    figure(row.ours, row.unit),
    open === '-' ? '' : `${figure(row.theirs, row.unit)}${row.theirs === undefined ? '' : ': '}${open}`,
    against(row),
    row.target,
    outcomeOf(what, row),
    cpuText(row.cpu ?? {}),
  ];
  return `| ${cells.join(' | ')} |`;
}

function linesOf(bench: string, record: BenchRecord): string[] {
  const rows = Object.entries(record).filter(([, row]) => row.bench === bench);
  if (rows.length === 0) return [`| (\`${bench}\` is not recorded) | | | | | | | |`];
  return rows.map(([name, row]) => lineOf(name, row));
}

const HEAD = [
  '| Measurement | Processes | Switchyard | Baseline | Ratio or difference | Target | | CPU time of one |',
  '|---|---|---|---|---|---|---|---|',
];

const met = (rows: RecordedRow[]): number => rows.filter((row) => row.met).length;

const counts = (rows: RecordedRow[]): string => `${met(rows)} | ${rows.length - met(rows)}`;

/** How many targets each area meets. */
function summaryOf(record: BenchRecord): string[] {
  const rowsOf = (benches: readonly string[]): RecordedRow[] =>
    Object.values(record).filter((row) => benches.includes(row.bench) && isJudged(row));
  const lines = AREAS.map(({ title, benches }) => {
    const rows = rowsOf(benches);
    return `| [${title}](#${title.toLowerCase().replaceAll(' ', '-')}) | ${counts(rows)} |`;
  });
  const all = rowsOf(AREAS.flatMap(({ benches }) => benches));
  return ['| Area | Targets met | Missed |', '|---|---|---|', ...lines, `| all | ${counts(all)} |`, ''];
}

/** The page of the last recorded measurements. */
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
    ...speedInShort(record),
    'Below are the last recorded figures of `npm run bench`. Missed targets stay on this page, and each links to its reason and, where known, its bound.',
    '',
    ...summaryOf(record),
    'How to read the figures:',
    '',
    '- Compare the ratio and the CPU time per operation. A ratio is measured in one run, with both sides alternating.',
    '- Do not compare figures of different runs: the speed of the machine changes twofold within an hour.',
    '- The machine has two cores, which also ran callers and servers.',
    '- Processes are `shared` as `npm start` starts them: nine services in four ([several services in a process](../operate/sizing.md#several-services-in-a-process)). They are `one each` in Kubernetes and Compose, in rows that measure a single service, and in rows that were recorded before services shared processes.',
    '- `proof/bench/record.json` names the version of Node of both sides, and the speed of the machine: `npm run bench -- --check` does not compare rows of machines whose speed differs by half.',
    '- Rows are recorded at different commits, named in `proof/bench/record.json`. Rows without figures have only a recorded ratio.',
    '',
    ...areas,
  ].join('\n');
}
