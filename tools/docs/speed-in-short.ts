import { type BenchRecord, type RecordedRow, shapeOf } from '../../proof/bench/record';

const US = 1_000_000;
/** Processes that are no part of the platform. */
const OTHERS = new Set(['caller', 'simulator']);

/** Processor time of the platform for one operation. */
const platformUs = ({ cpu = {} }: RecordedRow): number =>
  Object.entries(cpu).reduce((sum, [name, us]) => (OTHERS.has(name) ? sum : sum + us), 0);

const number = (value: number): string => Number(value.toPrecision(2)).toLocaleString('en');
const perSecond = (us: number): string => number(US / us);
const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const ours = ({ ours: figure = NaN }: RecordedRow): number => figure;
const added = (row: RecordedRow): string => ms(ours(row) - (row.theirs ?? NaN));

/** A sentence about these rows of the record. */
interface Line {
  rows: readonly string[];
  text: (...rows: [RecordedRow, RecordedRow]) => string;
}

const LINES: readonly Line[] = [
  {
    rows: ['relay: CPU time of a whole answer, 128 at a time | a bare relay of one hop'],
    text: (call) =>
      `A core relays ${perSecond(platformUs(call))} model calls a second, with key check, limits and metering.`,
  },
  {
    rows: [
      'relay: whole answer, one at a time | upstream directly',
      'relay: answer, 500 calls a second, 300 ms upstream, p50 | upstream directly',
    ],
    text: (alone, steady) =>
      `A call takes ${added(alone)} longer than directly, and ${added(steady)} longer at 500 calls a second.`,
  },
  {
    rows: ['relay: first byte, 20 streams a second, 200 ms upstream, p50 | upstream directly'],
    text: (firstByte) => `The first byte of a stream comes ${added(firstByte)} later.`,
  },
  {
    rows: ['chat, a turn among 500 | -'],
    text: (turn) => `A core serves ${perSecond(ours(turn) * 1000)} chat turns a second, each of 40 words and stored.`,
  },
  {
    rows: ['chat, time to first delta, p50 | the upstream directly'],
    text: (firstDelta) => `The first word of a turn comes ${added(firstDelta)} after the model's.`,
  },
  {
    rows: ['emit over HTTP, 128 callers | bare group-commit insert'],
    text: (emission) => `A core records ${perSecond(platformUs(emission))} events a second over HTTP.`,
  },
  {
    rows: ['an emission and its run | -'],
    text: (run) => `A core runs ${perSecond(ours(run))} tasks a second, from the event to the end of the run.`,
  },
  {
    rows: [
      'equality, page of 50, over HTTP | SQL by hand, same Postgres',
      'vector top 10 of 100000 x 384 | exact scan',
    ],
    text: (page, nearest) =>
      `A page of 50 records of 100,000 takes ${ms(ours(page))} over HTTP, the ten nearest vectors of 100,000 ${ms(ours(nearest))}.`,
  },
  {
    rows: [
      'nine services at rest, shared pages divided | limit',
      'gateway + agent + session + relay, resident after | -',
    ],
    text: (atRest, loaded) =>
      `The nine services take ${number(ours(atRest))} MiB at rest; the four of a chat ${number(ours(loaded))} MiB after 500 streams.`,
  },
  {
    rows: ['second start to ready, all services | limit', 'idle, all processes of the platform | limit'],
    text: (start, idle) =>
      `Every start after the first takes ${ours(start).toFixed(0)} s. An idle platform takes ${ours(idle).toFixed(1)}% of a core.`,
  },
];

/**
 * The recorded figures that matter to users. A line without its rows is left out. Each says so if it was recorded with a
 * process per service, unlike what `npm start` starts.
 */
export function speedInShort(record: BenchRecord): string[] {
  const lines = LINES.flatMap(({ rows, text }) => {
    const found = rows.flatMap((name) => record[name] ?? []);
    if (found.length < rows.length) return [];
    const isShared = found.some((row) => shapeOf(row) === 'hosts');
    return [`- ${text(...(found as [RecordedRow, RecordedRow]))}${isShared ? '' : ' (A process per service.)'}`];
  });
  return [
    'In short, on one machine with two cores. Services share processes, as with `npm start`, if a line does not say otherwise:',
    '',
    ...lines,
    '',
  ];
}
