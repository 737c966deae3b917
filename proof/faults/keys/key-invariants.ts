import { type Violation, violationsOf } from '../violations';
import { type KeyBooks, wrongBooks } from './key-books';
import { type KeyOutcome, SLOW_REQUESTS } from './limited-keys';

export interface KeysFound {
  outcomes: readonly KeyOutcome[];
  frugal: KeyBooks;
  /** Debits of the key with few tokens, by the turn or the job that it asked for. */
  debits: ReadonlyMap<string, number>;
  /** When the key with few requests a minute was let in, and what it was told else. */
  letIn: readonly number[];
  received: Readonly<Record<string, number>>;
  /** Faults after which requests are counted anew. */
  recounts: number;
}

/** Completed work, by end state. */
const DONE = new Set(['COMPLETED', 'SUCCEEDED']);
/** Refused before anything was begun. */
const REFUSED = 'DAILY_LIMIT_EXCEEDED';
/** Errors while a part of the platform is unavailable; a turn or job that lost its runtime has failed. */
const UNAVAILABLE = /^(FAILED|(FAILED )?(RUNTIME_UNAVAILABLE|SERVICE_UNAVAILABLE|SERVER_ERROR|TIMEOUT)|no answer)$/;
/** A job whose first attempt was lost may find the tokens used up. */
const ALLOWED = [REFUSED, `FAILED ${REFUSED}`];

const minuteOf = (at: number): number => Math.floor(at / 60_000);

const rules = {
  'a key with limits is charged what the ledger says, holds nothing, and stays within them': ({ frugal }) =>
    wrongBooks([frugal]),
  'a key with few tokens is refused for them, and for nothing else': ({ outcomes }) =>
    outcomes.flatMap(({ id, end }) =>
      end !== null && (DONE.has(end) || UNAVAILABLE.test(end) || ALLOWED.includes(end))
        ? []
        : [`${id}: ${String(end)}`],
    ),
  'what it was told is done is paid, and what was refused is not': ({ outcomes, debits }) =>
    outcomes.flatMap(({ id, end }) => {
      const paid = debits.get(id) ?? 0;
      if (DONE.has(end ?? '')) return paid > 0 ? [] : [`${id} is ${String(end)}, and was not paid`];
      return end === REFUSED && paid > 0 ? [`${id} was refused, and paid ${paid} times`] : [];
    }),
  'a key with few requests a minute makes no more, and is told why': ({ letIn, received, recounts }) => {
    const minutes = new Set(letIn.map(minuteOf)).size;
    const most = SLOW_REQUESTS * (minutes + recounts);
    const others = Object.keys(received).filter((code) => code !== 'RATE_LIMITED' && !UNAVAILABLE.test(code));
    return [
      ...(letIn.length <= most ? [] : [`${letIn.length} requests in ${minutes} minutes and ${recounts} recounts`]),
      ...others.map((code) => `it was told ${code}`),
    ];
  },
} satisfies Record<string, (found: KeysFound) => string[]>;

export type KeyRule = keyof typeof rules;

export const keyViolations = (found: KeysFound): Violation[] => violationsOf(rules, found);
