import type { EmissionStatus } from '@switchyard/contracts';

/** SKIPPED stays: it records what the guard decided, and a replay is the operator's decision beside it. */
const NEXT: Record<EmissionStatus, readonly EmissionStatus[]> = {
  PENDING: ['DISPATCHED', 'SKIPPED', 'FAILED'],
  FAILED: ['DISPATCHED'],
  DISPATCHED: [],
  SKIPPED: [],
};

export const canBecome = (from: EmissionStatus, to: EmissionStatus): boolean => NEXT[from].includes(to);

/** What a replay makes of an envelope's status. */
export const afterReplay = (status: EmissionStatus): EmissionStatus => (status === 'FAILED' ? 'DISPATCHED' : status);

export const MAX_DISPATCH_ATTEMPTS = 8;

export type AfterFailure = { status: 'PENDING'; retryInMs: number } | { status: 'FAILED' };

/** A failure that is the emission's own is tried a few times; then an operator has to look, and can replay it. */
export const afterFailure = (attempts: number): AfterFailure =>
  attempts >= MAX_DISPATCH_ATTEMPTS
    ? { status: 'FAILED' }
    : { status: 'PENDING', retryInMs: Math.min(30_000, 250 * 2 ** attempts) };
