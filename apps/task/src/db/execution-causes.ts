import { type CauseNode, type CauseStep, MAX_CAUSE_NODES, type StepStatus } from '@switchyard/contracts';
import { nameColumn } from '@switchyard/database';
import type { OwnedCauses } from '@switchyard/service';
import { turnsOfSteps } from '../domain/step-turn-ids';

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

interface PartFacts extends ExecutionFacts {
  /** Its agent steps that have run, with how often; null where it has none. */
  agents: { step: string; attempt: number }[] | null;
}

interface StepFacts {
  executionId: string;
  id: string;
  status: StepStatus;
  startedAt: string | null;
  finishedAt: string | null;
}

const COLUMNS = `e.id, ${nameColumn('t.name', 'name')}, e.status, e.started_at, e.finished_at, e.requested_by as user_id, e.correlation_id, e.root, e.parent, e.delivery_id`;
const TASK = `left join tasks t on t.space_id = e.space_id and t.id = e.task_id`;
const HAS_AGENTS = `jsonb_path_exists(e.steps, '$[*] ? (@.type == "agent")')`;
/** Turns of all steps count, shown or not. */
const AGENTS = `case when ${HAS_AGENTS} then
   (select jsonb_agg(jsonb_build_object('step', s.step_id, 'attempt', s.attempt)) from execution_steps s
     where s.space_id = $1 and s.execution_id = e.id
       and s.step_id in (select jsonb_array_elements_text(jsonb_path_query_array(e.steps, '$[*] ? (@.type == "agent").id')))) end as agents`;
/** The ids of the executions of a part, the oldest first. */
const PART = `(select id from executions where space_id = $1 and id = any($2::uuid[] || $3::uuid[]) order by id limit $4)
   union (select id from executions where space_id = $1 and root = any($2::uuid[]) and root is not null order by id limit $4)
   union (select x.id from unnest($3::uuid[]) as chain (id) cross join lateral (
     select id from executions where space_id = $1 and correlation_id = chain.id and correlation_id <> id order by id limit $4) x
     order by x.id limit $4)
   order by id limit $4`;

/** Executions and their steps, as nodes of trees. */
export const executionCauses: OwnedCauses = {
  find: (spaceId, id) => ({
    reads: [
      {
        name: 'find-execution-cause',
        sql: `select ${COLUMNS} from executions e ${TASK} where e.space_id = $1 and e.id = $2`,
        params: [spaceId, id],
      },
    ],
    nodes: ([executions = []]) => (executions as unknown as ExecutionFacts[]).map(executionNode),
  }),

  list: (spaceId, { roots, correlations }) => {
    const params = [spaceId, roots, correlations, MAX_CAUSE_NODES + 1];
    return {
      reads: [
        {
          name: 'list-execution-causes',
          sql: `select ${COLUMNS}, ${AGENTS}
                  from (${PART}) found cross join lateral (select * from executions x where x.space_id = $1 and x.id = found.id) e ${TASK}
                 order by e.id`,
          params,
        },
        {
          name: 'list-step-causes',
          sql: `select s.execution_id, s.step_id as id, s.status, s.started_at, s.finished_at
                  from (${PART}) found join execution_steps s on s.space_id = $1 and s.execution_id = found.id
                 order by s.execution_id, s.started_at limit $4`,
          params,
        },
      ],
      nodes: ([executions = [], steps = []]) =>
        partNodes(executions as unknown as PartFacts[], steps as unknown as StepFacts[]),
    };
  },
};

/** Steps of an execution that was not there yet when the executions were read are left out with it. */
function partNodes(executions: readonly PartFacts[], steps: readonly StepFacts[]): CauseNode[] {
  const stepsOf = new Map<string, CauseStep[]>();
  for (const { executionId, ...step } of steps) {
    const existing = stepsOf.get(executionId);
    if (existing) existing.push(step);
    else stepsOf.set(executionId, [step]);
  }
  return executions.map((facts) => {
    const node = executionNode(facts);
    if (facts.agents !== null) node.turnIds = turnsOfSteps(facts.id, facts.agents);
    node.steps = stepsOf.get(facts.id);
    return node;
  });
}

const executionNode = (facts: ExecutionFacts): CauseNode => ({
  key: `execution:${facts.id}`,
  parentKey: facts.parent ?? (facts.deliveryId === null ? null : `delivery:${facts.deliveryId}`),
  kind: 'execution',
  id: facts.id,
  name: facts.name,
  status: facts.status,
  startedAt: facts.startedAt,
  finishedAt: facts.finishedAt,
  userId: facts.userId,
  correlationId: facts.correlationId,
  root: facts.root,
  turnIds: [],
  tokens: null,
  cost: null,
});
