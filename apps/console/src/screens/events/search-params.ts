import type { Envelope } from '@switchyard/client';
import { PERIODS } from '../../api/period';
import { id, instant, oneOf, searchOf, text } from '../../api/search-params';
import { EMISSION_SOURCES } from './sources';

export const STATUSES: readonly Envelope['status'][] = ['PENDING', 'DISPATCHED', 'SKIPPED', 'FAILED'];

export const eventsSearch = searchOf({
  status: oneOf(STATUSES),
  event: text,
  app: text,
  source: oneOf(EMISSION_SOURCES),
  since: oneOf(PERIODS),
  from: instant,
  to: instant,
  correlationId: id,
});
