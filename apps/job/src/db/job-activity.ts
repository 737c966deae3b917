import type { ActivityEntry, JobPhase } from '@switchyard/contracts';
import type { ActivitySource } from '@switchyard/database';
import { isId } from '@switchyard/kernel';
import type { OwnedActivity } from '@switchyard/service';
import { turnsOfJob } from '../domain/job-turn-ids';

export const JOB_ACTIVITY: ActivitySource = {
  table: 'jobs',
  status: 'phase',
  at: 'created_at',
  owner: 'created_by',
  user: 'created_by',
};

interface JobFacts {
  id: string;
  status: JobPhase;
  agentId: string;
  sessionId: string | null;
  userId: string;
  causationId: string | null;
  correlationId: string | null;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  turns: number;
}

/** A job in the activity list. The gateway adds the agent's name. */
export const ownedJobs: OwnedActivity<JobFacts> = {
  service: 'job',
  source: JOB_ACTIVITY,
  row: `r.id, r.phase as status, r.agent_id, r.input->>'session_id' as session_id, r.created_by as user_id, r.causation_id, r.correlation_id,
     r.created_at, r.started_at, r.finished_at, r.turns`,
  entry: ({ turns, ...facts }): ActivityEntry => ({
    kind: 'job',
    name: null,
    taskId: null,
    turnIds: turnsOfJob(facts.id, turns),
    ...facts,
    sessionId: isId(facts.sessionId) ? facts.sessionId : null,
  }),
};
