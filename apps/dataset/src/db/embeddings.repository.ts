import { Injectable } from '@nestjs/common';
import { LOSSES_MAX, type Read, type Tx } from '@switchyard/database';
import type { EmbeddingError } from './vectors.repository';

export interface FailedText {
  recordId: string;
  field: number;
  attempts: number;
  error: EmbeddingError | null;
  retryAt: string | null;
}

/** As in the index of 0011: a search does not wait for these. */
const FAILING = `(state = 'FAILED' or (state = 'PENDING' and attempts >= 3))`;

/** How the texts of a dataset stand: those that have no vector yet. */
@Injectable()
export class EmbeddingsRepository {
  /** Both at one moment: a text moves from the one to the other. `pending` is counted as searches do. */
  async count(tx: Tx, { sql, params }: Read): Promise<{ pending: number; failed: number }> {
    const row = await tx.one<{ pending: number; failed: number }>(
      `select (${sql}) as pending, (select count(*)::int from (select 1 from record_vectors
         where space_id = $1 and dataset_id = $2 and ${FAILING} limit $3) t) as failed`,
      params,
    );
    return row ?? { pending: 0, failed: 0 };
  }

  async listFailed(tx: Tx, spaceId: string, datasetId: string, limit: number): Promise<FailedText[]> {
    return tx.query<FailedText>(
      `select record_id, field, attempts, error, case when state = 'PENDING' then due_at end as retry_at
       from record_vectors where space_id = $1 and dataset_id = $2 and ${FAILING} order by record_id, field limit $3`,
      [spaceId, datasetId, limit],
    );
  }

  /** In the order of those who write the records. One that ended its processes is left to an operator. */
  async retry(tx: Tx, spaceId: string, datasetId: string, most: number): Promise<number> {
    return tx.count(
      `with held as (select record_id, field from record_vectors
         where space_id = $1 and dataset_id = $2 and ${FAILING} and losses < ${LOSSES_MAX} order by record_id, field limit $3 for update)
       update record_vectors v set state = 'PENDING', attempts = 0, due_at = clock_timestamp() from held
       where v.space_id = $1 and v.dataset_id = $2 and v.record_id = held.record_id and v.field = held.field`,
      [spaceId, datasetId, most],
    );
  }
}
