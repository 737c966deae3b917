import type { EnvelopeDetails, Subscription } from '@switchyard/client';

type Seen = Pick<EnvelopeDetails, 'status' | 'dispatchedAt' | 'emittedAt'>;

/**
 * Why a subscription was not triggered. The log tells what matched; for the rest this reads the subscription as it is
 * now, and says so where it may have been another then.
 */
export function whyUnmatched({ status, dispatchedAt, emittedAt }: Seen, subscription: Subscription): string {
  if (status === 'PENDING') return 'It is not dispatched yet.';
  if (status === 'SKIPPED') return 'A skipped emission triggers nothing.';
  if (status === 'FAILED') return 'A failed emission triggers nothing until it is replayed.';
  if (Date.parse(subscription.createdAt) > Date.parse(dispatchedAt ?? emittedAt))
    return 'It was made after the dispatch. A replay would meet it.';
  if (!subscription.active) return 'It is switched off.';
  if (subscription.filter !== null) return 'Its filter does not fit the payload, unless it was changed since.';
  return 'It was switched off, or had a filter, when the event was dispatched.';
}

/** Explains a loop guard code in words. */
export const SKIPPED: Record<string, string> = {
  DEPTH_LIMIT:
    'A loop was stopped: each emission that a run makes lies one deeper than the one that started the run, and the chain had become too deep.',
  ROOT_BUDGET: 'A loop was stopped: all that one first emission leads to may start so many runs, and no more.',
};
