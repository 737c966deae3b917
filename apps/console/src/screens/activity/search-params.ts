import type { ActivityKind } from '@switchyard/client';
import { PERIODS } from '../../api/period';
import { id, instant, oneOf, searchOf } from '../../api/search-params';
import { OUTCOMES, STATUSES } from '../../api/status';

export const KINDS: ActivityKind[] = ['turn', 'execution', 'job', 'emission'];

export const activitySearch = searchOf({
  kind: oneOf(KINDS),
  status: oneOf([...OUTCOMES, ...STATUSES]),
  user: id,
  since: oneOf(PERIODS),
  from: instant,
  to: instant,
  /** Runs of one task are a row each: by default they are one. */
  runs: oneOf(['each']),
  /** Scheduled runs that did nothing. */
  idle: oneOf(['hide']),
  /** A new Space opens on its first steps. */
  steps: oneOf(['first']),
});
