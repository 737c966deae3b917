import { Injectable } from '@nestjs/common';
import type { Tx } from '@switchyard/database';
import { sqlStates } from '@switchyard/kernel';
import { ENDED } from '../domain/execution-state';

/** Executions whose time is over, with their steps, and deleted tasks that none of them names any more. */
@Injectable()
export class TaskRetentionRepository {
  /** Failures are looked at later than successes. Open ones are kept at any age. */
  async forget(tx: Tx, days: { done: number; failed: number }, limit: number): Promise<number> {
    const rows = await tx.prepared(
      'forget-executions',
      `with old as (
         select space_id, id from executions
          where created_at < (select clock_timestamp()) - make_interval(days => least($1::int, $2::int))
            and finished_at < (select clock_timestamp()) - make_interval(days => case when status in ('FAILED', 'TIMED_OUT') then $2::int else $1::int end)
            and status in ${sqlStates(ENDED)}
          limit $3 for update skip locked),
       steps as (delete from execution_steps s using old where s.space_id = old.space_id and s.execution_id = old.id)
       delete from executions e using old where e.space_id = old.space_id and e.id = old.id returning 1`,
      [days.done, days.failed, limit],
    );
    return rows.length;
  }

  /** The tasks of applications stay as a mark: a default that was removed does not come back with an upgrade. */
  async removeOldTasks(tx: Tx, days: number, limit: number): Promise<number> {
    const rows = await tx.prepared(
      'forget-tasks',
      `delete from tasks where ctid = any (array(
         select t.ctid from tasks t
          where t.deleted_at < (select clock_timestamp()) - make_interval(days => $1::int) and t.application_id is null
            and not exists (select 1 from executions e where e.space_id = t.space_id and e.task_id = t.id)
          limit $2 for update skip locked)) returning 1`,
      [days, limit],
    );
    return rows.length;
  }
}
