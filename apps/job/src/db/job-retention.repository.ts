import { Injectable } from '@nestjs/common';
import type { Tx } from '@switchyard/database';
import { sqlStates } from '@switchyard/kernel';
import { ENDED } from '../domain/job-phase';

/** Jobs whose time is over, with their callbacks. */
@Injectable()
export class JobRetentionRepository {
  /** Failures are looked at later than successes. A job stays as long as its callback is still on its way. */
  async removeEnded(tx: Tx, days: { done: number; failed: number }, limit: number): Promise<number> {
    const rows = await tx.prepared(
      'forget-jobs',
      `with old as (
         select j.space_id, j.id from jobs j
          where j.created_at < (select clock_timestamp()) - make_interval(days => least($1::int, $2::int))
            and j.finished_at < (select clock_timestamp()) - make_interval(days => case when j.phase in ('FAILED', 'TIMED_OUT') then $2::int else $1::int end)
            and j.phase in ${sqlStates(ENDED)}
            and not exists (select 1 from callbacks c where c.space_id = j.space_id and c.job_id = j.id and c.delivered_at is null and c.given_up_at is null)
          limit $3 for update skip locked)
       delete from jobs j using old where j.space_id = old.space_id and j.id = old.id returning 1`,
      [days.done, days.failed, limit],
    );
    return rows.length;
  }
}
