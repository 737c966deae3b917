import type { Activity, Execution, Job } from '@switchyard/client';

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'none';
export type Stage = 'waiting' | 'running' | 'ended';

interface Meaning {
  tone: Tone;
  stage: Stage;
  /** It ended without what it was for. */
  isFailure?: true;
}

/** All states of turns, executions, jobs and emissions. */
export type RecordStatus = Activity['status'] | Execution['status'] | Job['phase'];

const RECORDS: Record<RecordStatus, Meaning> = {
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
};

/** What other things say of themselves: keys, invitations, questions, tool calls. */
const OTHERS: Record<string, Meaning> = {
  TRIGGERED: { tone: 'good', stage: 'ended' },
  ACTIVE: { tone: 'good', stage: 'running' },
  ANSWERED: { tone: 'good', stage: 'ended' },
  EXPIRED: { tone: 'bad', stage: 'ended' },
  REVOKED: { tone: 'bad', stage: 'ended' },
  started: { tone: 'busy', stage: 'running' },
  succeeded: { tone: 'good', stage: 'ended' },
  failed: { tone: 'bad', stage: 'ended', isFailure: true },
};

const MEANINGS: Record<string, Meaning | undefined> = { ...OTHERS, ...RECORDS };

export const STATUSES: Activity['status'][] = Object.keys(RECORDS) as RecordStatus[];

export const toneOf = (status: string): Tone => MEANINGS[status]?.tone ?? 'none';
export const hasEnded = (status: string): boolean => MEANINGS[status]?.stage === 'ended';
/** It waits or runs: it can be cancelled, and its end is still to come. */
export const isUnderWay = (status: string): boolean => MEANINGS[status] !== undefined && !hasEnded(status);
export const hasFailed = (status: string): boolean => MEANINGS[status]?.isFailure === true;

/** As a table or a log writes it: `WAITING_INPUT` reads "Waiting input". */
export const wordsOf = (status: string): string => {
  const words = status.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** A choice of states, and of none. */
export const withAny = (any: string, values: readonly string[]): { value: string; label: string }[] => [
  { value: '', label: any },
  ...values.map((value) => ({ value, label: wordsOf(value) })),
];
