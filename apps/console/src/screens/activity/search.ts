import type { ActivityKind } from '@switchyard/client';
import { id, instant, oneOf, searchOf } from '../../api/search';
import { STATUSES } from '../../api/status';

export const KINDS: ActivityKind[] = ['turn', 'execution', 'job', 'emission'];

export const activitySearch = searchOf({
  kind: oneOf(KINDS),
  status: oneOf(STATUSES),
  user: id,
  from: instant,
  to: instant,
});
