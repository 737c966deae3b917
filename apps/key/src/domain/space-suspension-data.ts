import type { SpaceStanding } from '@switchyard/contracts';

/** Columns of `spaces s` that `standingOf` reads. */
export const STANDING_COLUMNS = `s.status as space_status, s.suspended_reason as space_suspended_reason,
  (s.ceilings ->> 'requestsPerMinute')::bigint as space_requests_per_minute`;

export interface StandingColumns {
  spaceStatus: string | null;
  spaceSuspendedReason: string | null;
  spaceRequestsPerMinute: number | null;
}

/** Data of a credential's Space for the gateway; none without an operator's decision. */
export function standingOf(row: StandingColumns): { space?: SpaceStanding } {
  const suspendedReason = row.spaceStatus === 'SUSPENDED' ? (row.spaceSuspendedReason ?? '') : null;
  const { spaceRequestsPerMinute: requestsPerMinute } = row;
  return suspendedReason === null && requestsPerMinute === null
    ? {}
    : { space: { suspendedReason, requestsPerMinute } };
}
