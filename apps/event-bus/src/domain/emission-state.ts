import type { EmissionStatus } from '@switchyard/contracts';
import { StateMachine } from '@switchyard/kernel';

/**
 * PENDING -> PENDING is another try of its dispatch. SKIPPED stays: it records what the guard decided, and a replay is
 * the operator's decision beside it.
 */
const STATUSES = new StateMachine<EmissionStatus>({
  PENDING: ['PENDING', 'DISPATCHED', 'SKIPPED', 'FAILED'],
  DISPATCHED: [],
  SKIPPED: [],
  FAILED: ['DISPATCHED'],
});

/** Their dispatch is still to come. */
export const WAITING = STATUSES.before('SKIPPED');
/** They came to no subscription. */
export const STOPPED = STATUSES.states.filter((status) => status !== 'DISPATCHED' && !WAITING.includes(status));
/** A replay makes up for the dispatch. */
export const REDISPATCHED = STATUSES.before('DISPATCHED', STOPPED);

/** The status of an envelope after a replay. */
export const afterReplay = (status: EmissionStatus): EmissionStatus =>
  REDISPATCHED.includes(status) ? 'DISPATCHED' : status;

export const MAX_DISPATCH_ATTEMPTS = 8;

export type AfterFailure = { status: 'PENDING'; retryInMs: number } | { status: 'FAILED' };

/** A failure that is the emission's own is tried a few times; then an operator has to look, and can replay it. */
export const afterFailure = (attempts: number): AfterFailure =>
  attempts >= MAX_DISPATCH_ATTEMPTS
    ? { status: 'FAILED' }
    : { status: 'PENDING', retryInMs: Math.min(30_000, 250 * 2 ** attempts) };
