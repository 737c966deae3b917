import type { RecordedRow } from '../../proof/bench/record';

interface Reason {
  bench: string;
  /** A part of the row's name; of every row of the bench without one. */
  what?: RegExp;
  /** The section of docs/evidence/processor-time.md that has the reason and the bound. */
  section: string;
}

/** The first that fits. Also for rows whose target is met today: a later record may miss it. */
const REASONS: readonly Reason[] = [
  { bench: 'chat', what: /first delta, p50/, section: 'the-first-word-of-a-turn' },
  { bench: 'chat', what: /resident/, section: 'memory-of-a-chat' },
  { bench: 'chat', what: /streams a second|first delta p50/, section: 'other-servers-of-agents' },
  { bench: 'chat', what: /wall|a turn among/, section: 'a-turn-among-many' },
  { bench: 'relay', what: /CPU time of a whole answer/, section: 'many-calls-at-once' },
  { bench: 'relay', what: /one at a time/, section: 'a-call-by-itself' },
  { bench: 'relay', what: /streams a second|calls a second/, section: 'calls-at-a-steady-pace' },
  { bench: 'relay', what: /events of/, section: 'events-of-streams' },
  { bench: 'relay', what: /whole answers/, section: 'portkey' },
  { bench: 'events', what: /to run done/, section: 'other-queues' },
  { bench: 'events', what: /an emission and its run|to run created/, section: 'runs' },
  { bench: 'events', what: /^emit/, section: 'recording' },
  { bench: 'datasets', what: /by id|page|newest|full text/, section: 'short-queries-at-the-service' },
  { bench: 'datasets-http', section: 'short-queries-over-http' },
  { bench: 'key', what: /unknown/, section: 'a-key-that-the-gateway-does-not-know' },
  { bench: 'mcp', section: 'mcp' },
  { bench: 'nats-api', what: /^request/, section: 'requests-over-nats' },
  { bench: 'nats-api', what: /delivery/, section: 'deliveries-over-nats' },
  { bench: 'projections', section: 'streams-of-other-clients' },
  { bench: 'ledger-growth', what: /costs of/, section: 'costs-of-many-turns' },
  { bench: 'idle', section: 'idle-platform' },
  { bench: 'start', what: /at rest/, section: 'memory-at-rest' },
];

export const REASON_SECTIONS = [...new Set(REASONS.map(({ section }) => section))];

/** The section that explains why this row misses its target; none is an error of the record's commit. */
export const reasonOf = (what: string, { bench }: Pick<RecordedRow, 'bench'>): string | undefined =>
  REASONS.find((reason) => reason.bench === bench && (reason.what?.test(what) ?? true))?.section;
