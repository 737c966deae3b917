import { type CauseNode, MAX_CAUSE_NODES, type WriteOperation } from '@switchyard/contracts';
import { nameColumn } from '@switchyard/database';
import type { OwnedCauses } from '@switchyard/service';

interface WriteFacts {
  id: string;
  dataset: string | null;
  operation: WriteOperation;
  records: number;
  startedAt: string;
  userId: string | null;
  correlationId: string | null;
  root: string;
  parent: string;
}

/** Writes of runs, as nodes of trees. */
export const writeCauses: OwnedCauses = {
  list: (spaceId, { roots, correlations }) => ({
    reads: [
      {
        // By name: a plan over many weeks takes longer than its run.
        name: 'list-write-causes',
        sql: `select w.id, ${nameColumn('d.name', 'dataset')}, w.operation, w.records, w.created_at as started_at, w.user_id, w.correlation_id, w.root, w.parent from (
                select id from record_writes where space_id = $1 and root = any($2::uuid[])
                union select id from record_writes where space_id = $1 and correlation_id = any($3::uuid[]) and correlation_id is not null) found
              cross join lateral (select * from record_writes x where x.space_id = $1 and x.id = found.id) w
              left join datasets d on d.space_id = w.space_id and d.id = w.dataset_id
              order by w.id limit $4`,
        params: [spaceId, roots, correlations, MAX_CAUSE_NODES + 1],
      },
    ],
    nodes: ([rows = []]) => (rows as unknown as WriteFacts[]).map(writeNode),
  }),
};

const writeNode = ({ dataset, operation, records, parent, ...facts }: WriteFacts): CauseNode => ({
  key: `record_write:${facts.id}`,
  parentKey: parent,
  kind: 'record_write',
  name: `${operation} ${records} in ${dataset ?? 'a deleted dataset'}`,
  status: null,
  finishedAt: facts.startedAt,
  turnIds: [],
  tokens: null,
  cost: null,
  ...facts,
});
