import type { ActivityEntry, TurnStatus } from '@switchyard/contracts';
import { type ActivitySource, nameColumn } from '@switchyard/database';
import type { OwnedActivity } from '@switchyard/service';

export const TURN_ACTIVITY: ActivitySource = {
  table: 'turns',
  status: 'status',
  at: 'started_at',
  owner: 'user_id',
  user: 'user_id',
  hidden: 'hidden',
};

interface TurnFacts {
  id: string;
  name: string | null;
  status: TurnStatus;
  agentId: string;
  sessionId: string | null;
  userId: string;
  causationId: string | null;
  correlationId: string | null;
  createdAt: string;
  startedAt: string;
  finishedAt: string | null;
}

/** A turn in the activity list. */
export const ownedTurns: OwnedActivity<TurnFacts> = {
  service: 'session',
  source: TURN_ACTIVITY,
  row: `r.turn_id as id, ${nameColumn('coalesce(s.title, r.agent_name)', 'name')}, r.status, r.agent_id, r.session_id, r.user_id, r.identity->>'causationId' as causation_id,
     r.identity->>'correlationId' as correlation_id, r.started_at as created_at, r.started_at, r.finished_at`,
  joins: 'left join sessions s on s.space_id = r.space_id and s.id = r.session_id',
  entry: (facts): ActivityEntry => ({ kind: 'turn', taskId: null, turnIds: [facts.id], ...facts }),
};
