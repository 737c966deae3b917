import { Injectable } from '@nestjs/common';
import { type CauseNode, MOST_CAUSE_NODES, type StepStatus, type StepType } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { turnsOfSteps } from '../domain/step-turns';

interface ExecutionFacts {
  id: string;
  name: string | null;
  status: string;
  startedAt: string | null;
  finishedAt: string | null;
  userId: string | null;
  correlationId: string | null;
  root: string | null;
  parent: string | null;
  deliveryId: string | null;
}

interface StepFacts {
  executionId: string;
  stepId: string;
  type: StepType | null;
  status: StepStatus;
  attempt: number;
  startedAt: string | null;
  finishedAt: string | null;
}

const COLUMNS = `e.id, t.name, e.status, e.started_at, e.finished_at, e.requested_by as user_id, e.correlation_id, e.root, e.parent, e.delivery_id`;
const FROM = `executions e left join tasks t on t.space_id = e.space_id and t.id = e.task_id`;

/** Executions and their steps, as nodes of trees. */
@Injectable()
export class ExecutionCausesRepository {
  async find(tx: Tx, spaceId: string, id: string): Promise<CauseNode[]> {
    const rows = await tx.query<ExecutionFacts>(`select ${COLUMNS} from ${FROM} where e.space_id = $1 and e.id = $2`, [
      spaceId,
      id,
    ]);
    return rows.map(executionNode);
  }

  async list(tx: Tx, spaceId: string, roots: readonly string[], correlations: readonly string[]): Promise<CauseNode[]> {
    const executions = await tx.query<ExecutionFacts & { stepTypes: Record<string, StepType> | null }>(
      `select ${COLUMNS}, (select jsonb_object_agg(d->>'id', d->>'type') from jsonb_array_elements(e.steps) d) as step_types from (
         (select id from executions where space_id = $1 and id = any($2::uuid[] || $3::uuid[]) order by id limit $4)
         union (select id from executions where space_id = $1 and root = any($2::uuid[]) and root is not null order by id limit $4)
         union (select x.id from unnest($3::uuid[]) as chain (id) cross join lateral (
           select id from executions where space_id = $1 and correlation_id = chain.id and correlation_id <> id order by id limit $4) x
           order by x.id limit $4)
         order by id limit $4) found
       cross join lateral (select * from executions x where x.space_id = $1 and x.id = found.id) e
       left join tasks t on t.space_id = e.space_id and t.id = e.task_id
       order by e.id limit $4`,
      [spaceId, roots, correlations, MOST_CAUSE_NODES + 1],
    );
    const types = new Map(executions.map(({ id, stepTypes }) => [id, stepTypes ?? {}]));
    const steps = await tx.query<Omit<StepFacts, 'type'>>(
      `select s.execution_id, s.step_id, s.status, s.attempt, s.started_at, s.finished_at
         from unnest($2::uuid[]) as wanted (id)
         join execution_steps s on s.space_id = $1 and s.execution_id = wanted.id
        order by s.execution_id, s.started_at limit $3`,
      [spaceId, executions.map(({ id }) => id), MOST_CAUSE_NODES + 1],
    );
    return [
      ...executions.map(({ stepTypes: _, ...facts }) => executionNode(facts)),
      ...steps.map((step) => stepNode({ ...step, type: types.get(step.executionId)?.[step.stepId] ?? null })),
    ];
  }
}

const executionNode = ({ parent, deliveryId, ...facts }: ExecutionFacts): CauseNode => ({
  key: `execution:${facts.id}`,
  parentKey: parent ?? (deliveryId === null ? null : `delivery:${deliveryId}`),
  kind: 'execution',
  turnIds: [],
  tokens: null,
  cost: null,
  ...facts,
});

const stepNode = ({ executionId, stepId, type, attempt, ...facts }: StepFacts): CauseNode => ({
  key: `step:${executionId}/${stepId}`,
  parentKey: `execution:${executionId}`,
  kind: 'step',
  id: stepId,
  name: stepId,
  userId: null,
  correlationId: null,
  root: null,
  turnIds: type === 'agent' ? turnsOfSteps(executionId, [{ step: stepId, attempt }]) : [],
  tokens: null,
  cost: null,
  ...facts,
});
