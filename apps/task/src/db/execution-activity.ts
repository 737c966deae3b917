import { type ActivityEntry, type ExecutionStatus, TASK_TYPES } from '@switchyard/contracts';
import { type ActivitySource, nameColumn } from '@switchyard/database';
import type { OwnedActivity } from '@switchyard/service';
import { turnsOfSteps } from '../domain/step-turn-ids';

export const EXECUTION_ACTIVITY: ActivitySource = {
  table: 'executions',
  status: 'status',
  at: 'created_at',
  owner: null,
  user: 'requested_by',
  lead: { column: 'kind', values: TASK_TYPES },
};

interface ExecutionFacts {
  id: string;
  name: string | null;
  status: ExecutionStatus;
  taskId: string;
  userId: string | null;
  causationId: string | null;
  correlationId: string | null;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  agentSteps: { step: string; attempt: number }[] | null;
}

/** An execution in the activity list, with the attempts of its agent steps. */
export const ownedExecutions: OwnedActivity<ExecutionFacts> = {
  service: 'task',
  source: EXECUTION_ACTIVITY,
  row: `r.id, ${nameColumn('t.name', 'name')}, r.status, r.task_id, r.requested_by as user_id, r.causation_id, r.correlation_id, r.created_at, r.started_at, r.finished_at,
     case when r.steps @> '[{"type":"agent"}]' then (
       select jsonb_agg(jsonb_build_object('step', s.step_id, 'attempt', s.attempt)) from execution_steps s
        where s.space_id = r.space_id and s.execution_id = r.id and s.attempt > 0
          and r.steps @> jsonb_build_array(jsonb_build_object('id', s.step_id, 'type', 'agent'))) end as agent_steps`,
  joins: 'left join tasks t on t.space_id = r.space_id and t.id = r.task_id',
  entry: ({ agentSteps, ...facts }): ActivityEntry => ({
    kind: 'execution',
    agentId: null,
    sessionId: null,
    turnIds: turnsOfSteps(facts.id, agentSteps ?? []),
    ...facts,
  }),
};
