import type { JobPhase } from '@switchyard/client';
import { oneOf, searchOf } from '../../api/search-params';

export const PHASES: readonly JobPhase[] = [
  'QUEUED',
  'RUNNING',
  'RETRYING',
  'WAITING_INPUT',
  'CANCELLING',
  'SUCCEEDED',
  'FAILED',
  'CANCELLED',
  'TIMED_OUT',
];

export const jobsSearch = searchOf({ phase: oneOf(PHASES) });
