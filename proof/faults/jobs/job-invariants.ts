import { type StateChange, wrongChanges } from '../audit';
import { grouped } from '../grouped';
import { type Violation, violationsOf } from '../violations';
import type { JobOutcome } from './job-load';

export interface JobRow {
  id: string;
  name: string;
  phase: string;
  attempt: number;
  maxAttempts: number;
  turns: number;
  /** It, or its turn, lost its process twice. */
  isGivenUp?: boolean;
}

export interface JobFound {
  outcomes: readonly JobOutcome[];
  jobs: readonly JobRow[];
  /** Turns that jobs have begun, by the job's name. */
  turns: readonly { name: string; turnId: string }[];
  callbacks: readonly { webhookId: string; name: string; type: string }[];
  /** The most that ever ran at once in the Space, and the limit. */
  busiest: number;
  limit: number;
  ledger: { debits: number; sum: number; balance: number; reserved: number };
  upstreamCalls: number;
  changes: readonly StateChange[];
  unexpectedEnds: readonly string[];
}

const FINAL = new Set(['SUCCEEDED', 'FAILED', 'CANCELLED', 'TIMED_OUT']);

const rules = {
  'a key is one job, however often it was sent': ({ outcomes, jobs }) => {
    const byName = grouped(jobs, ({ name }) => name);
    return outcomes.flatMap(({ name, ids }) => {
      const rows = byName.get(name) ?? [];
      return rows.length === 1 && new Set(ids).size === 1
        ? []
        : [`${name} is ${rows.length} jobs, answered as ${ids.join(' and ')}`];
    });
  },
  'a job comes to one end, and its submitter sees it': ({ outcomes, jobs }) =>
    outcomes.flatMap(({ name, phase }) => {
      const row = jobs.find((job) => job.name === name);
      if (!row || !FINAL.has(row.phase)) return [`${name} is ${String(row?.phase)}`];
      return row.phase === phase ? [] : [`${name} is ${row.phase}, and was read as ${String(phase)}`];
    }),
  'progress never goes back': ({ outcomes }) =>
    outcomes.flatMap(({ name, progress }) =>
      progress.some((value, index) => value < (progress[index - 1] ?? 0)) ? [`${name}: ${progress.join()}`] : [],
    ),
  'a question that was answered is not asked again': ({ outcomes }) =>
    outcomes.flatMap(({ name, questions }) => {
      const sent = questions.filter((question) => question !== null);
      return new Set(sent).size === sent.length ? [] : [`${name}: ${questions.map(String).join(', ')}`];
    }),
  'an attempt is one turn, whoever carries it out': ({ jobs, turns }) => {
    const begun = grouped(turns, ({ name }) => name);
    return jobs.flatMap(({ name, phase, turns: meant }) => {
      const found = begun.get(name)?.length ?? 0;
      // Without a turn it cannot have succeeded: then turns are looked for where there are none.
      if (found === 0 && phase === 'SUCCEEDED') return [`${name} has succeeded without a turn`];
      return found > meant ? [`${name} began ${found} turns in ${meant} attempts`] : [];
    });
  },
  'attempts keep to their limit': ({ jobs }) =>
    jobs.flatMap(({ name, attempt, maxAttempts }) =>
      attempt > maxAttempts ? [`${name}: ${attempt} of ${maxAttempts}`] : [],
    ),
  'a job fails only when its attempts are used up': ({ jobs }) =>
    jobs.flatMap(({ name, phase, attempt, maxAttempts, isGivenUp }) =>
      phase === 'FAILED' && attempt < maxAttempts && !isGivenUp ? [`${name}: ${attempt} of ${maxAttempts}`] : [],
    ),
  'an end is told, with one id however often': ({ jobs, callbacks }) => {
    const received = grouped(callbacks, ({ name }) => name);
    return jobs.flatMap(({ name, phase }) => {
      const calls = received.get(name) ?? [];
      const ids = new Set(calls.map(({ webhookId }) => webhookId)).size;
      if (ids !== 1) return [`${name} was told under ${ids} ids`];
      return calls.every(({ type }) => type === `agent_job.${phase.toLowerCase()}`)
        ? []
        : [`${name} was told in two ways`];
    });
  },
  'no more run than may': ({ busiest, limit }) => (busiest > limit ? [`${busiest} of ${limit}`] : []),
  'what is paid was called': ({ ledger, upstreamCalls }) => [
    ...(ledger.debits > upstreamCalls ? [`${ledger.debits} debits for ${upstreamCalls} calls`] : []),
    ...(ledger.sum === ledger.balance ? [] : [`the ledger makes ${ledger.sum}, the balance is ${ledger.balance}`]),
    ...(ledger.reserved === 0 ? [] : [`${ledger.reserved} tokens are reserved`]),
  ],
  'a job that has ended is not written again, and goes only where jobs go': ({ changes }) => wrongChanges(changes),
  'no process ends by itself': ({ unexpectedEnds }) => [...unexpectedEnds],
} satisfies Record<string, (found: JobFound) => string[]>;

export type JobRule = keyof typeof rules;

export const jobViolations = (found: JobFound): Violation[] => violationsOf(rules, found);
