import { type CauseNode, MAX_CAUSE_NODES, type TurnStatus } from '@switchyard/contracts';
import { nameColumn } from '@switchyard/database';
import { isPlainObject } from '@switchyard/kernel';
import type { OwnedCauses } from '@switchyard/service';

interface TurnFacts {
  key: string;
  turnId: string;
  name: string | null;
  status: TurnStatus;
  startedAt: string;
  finishedAt: string | null;
  userId: string;
  agentId: string;
  sessionId: string | null;
  correlationId: string | null;
  root: string | null;
  parent: string | null;
  calls: unknown;
}

const COLUMNS = `t.id as key, t.turn_id, ${nameColumn('coalesce(s.title, t.agent_name)', 'name')}, t.status, t.started_at, t.finished_at, t.user_id, t.agent_id, t.session_id, t.identity->>'correlationId' as correlation_id,
   t.identity->'lineage'->>'root' as root, t.identity->'lineage'->>'parent' as parent,
   case when json_typeof(t.result) = 'object' then t.result->'tool_executions' end as calls`;
const FROM = `turns t left join sessions s on s.space_id = t.space_id and s.id = t.session_id`;

/** Turns and the tools that they have called, as nodes of trees. */
export const turnCauses: OwnedCauses = {
  /** By the turn's name: its reader's own turn first, since another user may have used the name too. */
  find: (spaceId, turnId, userId) => ({
    reads: [
      {
        name: 'find-turn-cause',
        sql: `select ${COLUMNS} from ${FROM} where t.space_id = $1 and t.turn_id = $2 and not t.hidden
               order by (t.user_id = $3) desc nulls last, t.started_at desc limit 1`,
        params: [spaceId, turnId, userId],
      },
    ],
    nodes: ([turns = []]) => (turns as unknown as TurnFacts[]).map(turnNode),
  }),

  list: (spaceId, { roots, correlations }) => ({
    reads: [
      {
        name: 'list-turn-causes',
        sql: `select ${COLUMNS} from (
                select id from turns where space_id = $1 and id = any($2::uuid[])
                union select id from turns where space_id = $1 and identity->'lineage'->>'root' = any($2::text[]) and identity->'lineage'->>'root' is not null
                union select id from turns where space_id = $1 and identity->>'correlationId' = any($3::text[]) and identity->>'correlationId' is not null) found
              cross join lateral (select * from turns x where x.space_id = $1 and x.id = found.id) t
              left join sessions s on s.space_id = t.space_id and s.id = t.session_id
              order by t.id limit $4`,
        params: [spaceId, roots, correlations, MAX_CAUSE_NODES + 1],
      },
    ],
    nodes: ([turns = []]) => (turns as unknown as TurnFacts[]).flatMap((turn) => [turnNode(turn), ...callNodes(turn)]),
  }),
};

const turnNode = ({ key, turnId, parent, calls: _calls, ...facts }: TurnFacts): CauseNode => ({
  key: `turn:${key}`,
  parentKey: parent,
  kind: 'turn',
  id: turnId,
  turnIds: [turnId],
  tokens: null,
  cost: null,
  ...facts,
});

/** Of a turn that still runs, its calls are not known here yet. */
function callNodes({ key, calls, userId }: TurnFacts): CauseNode[] {
  if (!Array.isArray(calls)) return [];
  return calls.filter(isPlainObject).flatMap((call) => {
    const { tool_call_id: id, name, status } = call;
    if (typeof id !== 'string') return [];
    return {
      key: `tool_call:${key}/${id}`,
      parentKey: `turn:${key}`,
      kind: 'tool_call' as const,
      id,
      name: typeof name === 'string' ? name : null,
      status: typeof status === 'string' ? status : null,
      startedAt: null,
      finishedAt: null,
      userId,
      correlationId: null,
      root: null,
      turnIds: [],
      tokens: null,
      cost: null,
    };
  });
}
