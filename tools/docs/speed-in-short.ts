import type { BenchRecord, RecordedRow } from '../../proof/bench/record';

const US = 1_000_000;
/** Processes that are no part of the platform. */
const OTHERS = new Set(['caller', 'simulator']);

/** Processor time of the platform for one operation. */
const platformUs = ({ cpu = {} }: RecordedRow): number =>
  Object.entries(cpu).reduce((sum, [name, us]) => (OTHERS.has(name) ? sum : sum + us), 0);

const number = (value: number): string => Number(value.toPrecision(2)).toLocaleString('en');
const perSecond = (us: number): string => number(US / us);
const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

/** The recorded figures that matter to users. A line without its rows is left out. */
export function speedInShort(record: BenchRecord): string[] {
  const row = (name: string): RecordedRow | undefined => record[name];
  const added = (name: string): string | undefined => {
    const { ours, theirs } = row(name) ?? {};
    return ours === undefined || theirs === undefined ? undefined : ms(ours - theirs);
  };
  const ours = (name: string): number | undefined => row(name)?.ours;
  const call = row('relay: CPU time of a whole answer, 128 at a time | a bare relay of one hop');
  const alone = added('relay: whole answer, one at a time | upstream directly');
  const steady = added('relay: answer, 500 calls a second, 300 ms upstream, p50 | upstream directly');
  const firstByte = added('relay: first byte, 20 streams a second, 200 ms upstream, p50 | upstream directly');
  const turn = ours('chat, a turn among 500 | -');
  const firstDelta = added('chat, time to first delta, p50 | the upstream directly');
  const emission = row('emit over HTTP, 128 callers | bare group-commit insert');
  const run = ours('an emission and its run | -');
  const page = ours('equality, page of 50, over HTTP | SQL by hand, same Postgres');
  const nearest = ours('vector top 10 of 100000 x 384 | exact scan');
  const atRest = ours('nine services at rest, shared pages divided | limit');
  const loaded = ours('gateway + agent + session + relay, resident after | -');
  const start = ours('second start to ready, all services | limit');
  const idle = ours('idle, all processes of the platform | limit');
  const lines = [
    call && `A core relays ${perSecond(platformUs(call))} model calls a second, with key check, limits and metering.`,
    alone && steady && `A call takes ${alone} longer than directly, and ${steady} longer at 500 calls a second.`,
    firstByte && `The first byte of a stream comes ${firstByte} later.`,
    turn && `A core serves ${perSecond(turn * 1000)} chat turns a second, each of 40 words and stored.`,
    firstDelta && `The first word of a turn comes ${firstDelta} after the model's.`,
    emission && `A core records ${perSecond(platformUs(emission))} events a second over HTTP.`,
    run && `A core runs ${perSecond(run)} tasks a second, from the event to the end of the run.`,
    page &&
      nearest &&
      `A page of 50 records of 100,000 takes ${ms(page)} over HTTP, the ten nearest vectors of 100,000 ${ms(nearest)}.`,
    atRest &&
      loaded &&
      `The nine services take ${number(atRest)} MiB at rest; the four of a chat ${number(loaded)} MiB after 500 streams.`,
    start &&
      idle &&
      `Every start after the first takes ${start.toFixed(0)} s. An idle platform takes ${idle.toFixed(1)}% of a core.`,
  ];
  return [
    'In short, on one machine with two cores:',
    '',
    ...lines.filter((line) => typeof line === 'string').map((line) => `- ${line}`),
    '',
  ];
}
