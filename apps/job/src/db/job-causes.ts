import type { CauseNode, JobPhase } from '@switchyard/contracts';
import type { CauseReads, OwnedCauses } from '@switchyard/service';

interface JobFacts {
  id: string;
  status: JobPhase;
  startedAt: string | null;
  finishedAt: string | null;
  userId: string;
  correlationId: string | null;
}

const jobs = (spaceId: string, ids: readonly string[]): CauseReads => ({
  reads: [
    {
      name: 'list-job-causes',
      sql: `select id, phase as status, started_at, finished_at, created_by as user_id, correlation_id from jobs
             where space_id = $1 and id = any($2::uuid[])`,
      params: [spaceId, ids],
    },
  ],
  nodes: ([rows = []]) => (rows as unknown as JobFacts[]).map(jobNode),
});

/** Jobs, as roots of trees: nothing causes one. */
export const jobCauses: OwnedCauses = {
  find: (spaceId, id) => jobs(spaceId, [id]),
  list: (spaceId, { roots }) => jobs(spaceId, roots),
};

const jobNode = (facts: JobFacts): CauseNode => ({
  key: `job:${facts.id}`,
  parentKey: null,
  kind: 'job',
  name: null,
  root: null,
  turnIds: [],
  tokens: null,
  cost: null,
  ...facts,
});
