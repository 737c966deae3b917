import type { ChangeNatsAccountLimits, KeyLimits, NatsAccountLimits } from '@switchyard/contracts';
import { invalid } from '@switchyard/kernel';
import { changedLimits } from './key-limits';

/** Limits of a key with the applications of an account: a value sets, null removes, the rest stays. */
export function changedAccountLimits(
  before: NatsAccountLimits | KeyLimits,
  change: ChangeNatsAccountLimits | undefined,
): NatsAccountLimits {
  const had = 'applications' in before ? before.applications : undefined;
  const applications = change?.applications === undefined ? had : change.applications;
  return {
    ...changedLimits(before, change),
    ...(applications === undefined || applications === null ? {} : { applications: [...new Set(applications)] }),
  };
}

export function checkRequestsPerMinute(limits: ChangeNatsAccountLimits | undefined, most: number): void {
  if ((limits?.requestsPerMinute ?? 0) > most)
    throw invalid('limits.requestsPerMinute', `must be at most ${most}, the bound of the Space`);
}
