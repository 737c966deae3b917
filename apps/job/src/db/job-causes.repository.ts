import { Injectable } from '@nestjs/common';
import type { CauseNode, JobPhase } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';

interface JobFacts {
  id: string;
  status: JobPhase;
  startedAt: string | null;
  finishedAt: string | null;
  userId: string;
  correlationId: string | null;
}

/** Jobs, as roots of trees. */
@Injectable()
export class JobCausesRepository {
  async list(tx: Tx, spaceId: string, ids: readonly string[]): Promise<CauseNode[]> {
    const rows = await tx.query<JobFacts>(
      `select id, phase as status, started_at, finished_at, created_by as user_id, correlation_id from jobs
        where space_id = $1 and id = any($2::uuid[])`,
      [spaceId, ids],
    );
    return rows.map((facts) => ({
      key: `job:${facts.id}`,
      parentKey: null,
      kind: 'job',
      name: null,
      root: null,
      turnIds: [],
      tokens: null,
      cost: null,
      ...facts,
    }));
  }
}
