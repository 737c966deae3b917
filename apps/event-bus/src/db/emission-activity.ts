import type { ActivityEntry, EmissionStatus } from '@switchyard/contracts';
import type { ActivitySource } from '@switchyard/database';
import type { OwnedActivity } from '@switchyard/service';

export const EMISSION_ACTIVITY: ActivitySource = {
  table: 'emissions',
  status: 'status',
  at: 'emitted_at',
  owner: null,
  user: 'actor_user_id',
  audience: 'audience',
};

interface EmissionFacts {
  id: string;
  name: string;
  status: EmissionStatus;
  userId: string | null;
  causationId: string | null;
  correlationId: string;
  createdAt: string;
  startedAt: string;
  finishedAt: string | null;
  audience: string | null;
}

/** An emission in the activity list. It has ended when it is dispatched. */
export const ownedEmissions: OwnedActivity<EmissionFacts> = {
  service: 'event-bus',
  source: EMISSION_ACTIVITY,
  row: `r.id, r.event as name, r.status, r.actor_user_id as user_id, r.causation_id, r.correlation_id, r.emitted_at as created_at,
     r.emitted_at as started_at, r.dispatched_at as finished_at, r.audience`,
  entry: (facts): ActivityEntry => ({
    kind: 'emission',
    agentId: null,
    taskId: null,
    sessionId: null,
    turnIds: [],
    ...facts,
  }),
};
