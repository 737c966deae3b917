import type { Scope } from '../access';
import { EMISSION_STATUSES } from '../event-bus/emissions';
import { JOB_PHASES } from '../job/job-field-types';
import { TURN_STATUSES } from '../session/turn-status';
import { EXECUTION_STATUSES } from '../task/execution-view';

export const ACTIVITY_KINDS = ['turn', 'execution', 'job', 'emission'] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

interface KindRules {
  /** The scope to read rows of this kind. */
  scope: Scope;
  /** Only visible to its creator, and to ADMIN and higher. */
  isPrivate: boolean;
  statuses: readonly string[];
}

/** Visibility and states of each kind. */
export const ACTIVITY_RULES: Readonly<Record<ActivityKind, KindRules>> = {
  turn: { scope: 'sessions:read', isPrivate: true, statuses: TURN_STATUSES },
  execution: { scope: 'tasks:read', isPrivate: false, statuses: EXECUTION_STATUSES },
  job: { scope: 'jobs:read', isPrivate: true, statuses: JOB_PHASES },
  emission: { scope: 'events:read', isPrivate: false, statuses: EMISSION_STATUSES },
};

export const ACTIVITY_STATUSES: readonly string[] = [
  ...new Set(Object.values(ACTIVITY_RULES).flatMap(({ statuses }) => statuses)),
];
