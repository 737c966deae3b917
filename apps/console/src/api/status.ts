import type { Activity, Execution, Job } from '@switchyard/client';

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'none';
export type Stage = 'waiting' | 'running' | 'ended';

interface Meaning {
  tone: Tone;
  stage: Stage;
  /** It ended without what it was for. */
  isFailure?: true;
  /** Not of a turn, execution, job or emission, but of a key, an invitation, a question or a tool call. */
  isOther?: true;
}

/** All states of turns, executions, jobs and emissions. */
export type RecordStatus = Activity['status'] | Execution['status'] | Job['phase'];
type OtherStatus =
  | 'TRIGGERED'
  | 'ACTIVE'
  | 'ANSWERED'
  | 'EXPIRED'
  | 'REVOKED'
  | 'STARTED'
  | 'SUSPENDED'
  | 'DISABLED'
  | 'HEALTHY'
  | 'FAILING'
  | 'DELIVERED'
  | 'DISCARDED';

const MEANINGS: Record<RecordStatus | OtherStatus, Meaning> = {
  QUEUED: { tone: 'none', stage: 'waiting' },
  PENDING: { tone: 'none', stage: 'waiting' },
  WAITING_INPUT: { tone: 'warn', stage: 'waiting' },
  RUNNING: { tone: 'busy', stage: 'running' },
  RETRYING: { tone: 'warn', stage: 'running' },
  CANCELLING: { tone: 'warn', stage: 'running' },
  COMPLETED: { tone: 'good', stage: 'ended' },
  SUCCEEDED: { tone: 'good', stage: 'ended' },
  DISPATCHED: { tone: 'good', stage: 'ended' },
  FAILED: { tone: 'bad', stage: 'ended', isFailure: true },
  TIMED_OUT: { tone: 'bad', stage: 'ended', isFailure: true },
  CANCELLED: { tone: 'none', stage: 'ended' },
  SKIPPED: { tone: 'none', stage: 'ended' },
  TRIGGERED: { tone: 'good', stage: 'ended', isOther: true },
  ACTIVE: { tone: 'good', stage: 'running', isOther: true },
  ANSWERED: { tone: 'good', stage: 'ended', isOther: true },
  EXPIRED: { tone: 'bad', stage: 'ended', isOther: true },
  REVOKED: { tone: 'bad', stage: 'ended', isOther: true },
  STARTED: { tone: 'busy', stage: 'running', isOther: true },
  SUSPENDED: { tone: 'bad', stage: 'ended', isOther: true },
  DISABLED: { tone: 'bad', stage: 'ended', isOther: true },
  HEALTHY: { tone: 'good', stage: 'running', isOther: true },
  FAILING: { tone: 'warn', stage: 'running', isOther: true },
  DELIVERED: { tone: 'good', stage: 'ended', isOther: true },
  DISCARDED: { tone: 'none', stage: 'ended', isOther: true },
};

const KNOWN: ReadonlyMap<string, Meaning> = new Map(Object.entries(MEANINGS));
/** Tool calls write theirs in small letters. */
const meaningOf = (status: string): Meaning | undefined => KNOWN.get(status.toUpperCase());

export const STATUSES: readonly Activity['status'][] = [...KNOWN].flatMap(([status, { isOther }]) =>
  isOther ? [] : [status as RecordStatus],
);

export const toneOf = (status: string): Tone => meaningOf(status)?.tone ?? 'none';
export const hasEnded = (status: string): boolean => meaningOf(status)?.stage === 'ended';
/** It waits or runs: it can be cancelled, and its end is still to come. */
export const isUnderWay = (status: string): boolean => meaningOf(status) !== undefined && !hasEnded(status);
export const hasFailed = (status: string): boolean => meaningOf(status)?.isFailure === true;

/** The outcome of a record, in the words of a filter. */
export const OUTCOMES = ['failed', 'waiting', 'running', 'done', 'none'] as const;
export type RecordOutcome = (typeof OUTCOMES)[number];

export const OUTCOME_WORDS: Record<RecordOutcome, string> = {
  failed: 'Failed',
  waiting: 'Waiting for a person',
  running: 'Under way',
  done: 'Done',
  none: 'Cancelled or skipped',
};

export function outcomeOf(status: string): RecordOutcome {
  if (status === 'WAITING_INPUT') return 'waiting';
  if (isUnderWay(status)) return 'running';
  if (hasFailed(status)) return 'failed';
  return toneOf(status) === 'good' ? 'done' : 'none';
}

export const isOutcome = (value: string): value is RecordOutcome => OUTCOMES.some((one) => one === value);

/** The states that a filter means: of an outcome, or the one that it names. */
export const statusesOf = (value: RecordOutcome | Activity['status']): Activity['status'][] =>
  isOutcome(value) ? STATUSES.filter((status) => outcomeOf(status) === value) : [value];

/** States that read otherwise than they are written: one word for done, of all kinds of records. */
const WORDS: Record<string, string> = {
  COMPLETED: 'Done',
  SUCCEEDED: 'Done',
  DISPATCHED: 'Done',
  TRIGGERED: 'Done',
  WAITING_INPUT: 'Needs an answer',
};

/** As a table or a log writes it: `TIMED_OUT` reads "Timed out". */
export const wordsOf = (status: string): string => {
  const words = WORDS[status.toUpperCase()] ?? status.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** A choice of states, and of none. */
export const withAny = (any: string, values: readonly string[]): { value: string; label: string }[] => [
  { value: '', label: any },
  ...values.map((value) => ({ value, label: wordsOf(value) })),
];
