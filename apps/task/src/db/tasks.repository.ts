import { Injectable } from '@nestjs/common';
import type { ListTasks } from '@switchyard/contracts';
import {
  type Condition,
  type PageWindow,
  type Read,
  type Tx,
  type RetryOutcome,
  notRetried,
  isQuiet,
  setApart,
} from '@switchyard/database';
import { tasks } from './tables';
import { LISTED, type ListedTask, type NewTask, selectedColumns, type TaskRow } from './task-columns';

const COLUMNS = selectedColumns();

@Injectable()
export class TasksRepository {
  add(tx: Tx, task: NewTask): Promise<TaskRow> {
    return tx.rows(tasks).insert(task);
  }

  async save(tx: Tx, { spaceId, id, ...task }: NewTask): Promise<TaskRow> {
    return (await tx.rows(tasks).save({ spaceId, id }, task)) as TaskRow;
  }

  /** SQL, for every start of a task: prepared once per connection. */
  async find(tx: Tx, spaceId: string, id: string): Promise<TaskRow | null> {
    const [row] = await tx.prepared<TaskRow>(
      'task-by-id',
      `select ${COLUMNS} from tasks where space_id = $1 and id = $2 and deleted_at is null`,
      [spaceId, id],
    );
    return row ?? null;
  }

  /** The task of a delivery, and the execution that the delivery has already. */
  async findForDelivery(
    tx: Tx,
    spaceId: string,
    id: string,
    deliveryId: string,
  ): Promise<{ task: TaskRow | null; executionId: string | null }> {
    const [row] = await tx.prepared<TaskRow & { executionId: string | null }>(
      'find-for-delivery',
      `select ${selectedColumns('t.')}, d.execution_id
       from (select (select id from executions where space_id = $1 and delivery_id = $3) as execution_id) d
       left join tasks t on t.space_id = $1 and t.id = $2 and t.deleted_at is null`,
      [spaceId, id, deliveryId],
    );
    return { task: row?.id ? row : null, executionId: row?.executionId ?? null };
  }

  /** As `find`, and keeps the task as it is until the end of the transaction; other starts of it wait. */
  findLocked(tx: Tx, spaceId: string, id: string): Promise<TaskRow | null> {
    return tx.one<TaskRow>(
      `select ${COLUMNS} from tasks where space_id = $1 and id = $2 and deleted_at is null for no key update`,
      [spaceId, id],
    );
  }

  /** The tasks that an application brings, but for these. */
  async idsOfApplication(tx: Tx, spaceId: string, applicationId: string, butFor: readonly string[]): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `select id from tasks where space_id = $1 and application_id = $2 and deleted_at is null and not (id = any($3::uuid[]))`,
      [spaceId, applicationId, butFor],
    );
    return rows.map(({ id }) => id);
  }

  /** Also a removed one: a default task that a user removed does not come back with the next upgrade. */
  exists(tx: Tx, spaceId: string, id: string): Promise<{ deletedAt: string | null } | null> {
    return tx.rows(tasks).only('deletedAt').find({ spaceId, id });
  }

  list(tx: Tx, spaceId: string, { type, active, q }: ListTasks, window: PageWindow<string>): Promise<ListedTask[]> {
    const named: Condition | false = q !== undefined && ['position(lower(:q) in lower(row.name)) > 0', { q }];
    return tx
      .rows(tasks)
      .only(...LISTED)
      .list({ spaceId, deletedAt: null, type, active }, window, [named]);
  }

  /** The first hundred tasks whose steps name a secret. */
  naming(tx: Tx, spaceId: string, secret: string): Promise<{ id: string; name: string }[]> {
    return tx.query(
      `select id, name from tasks
       where space_id = $1 and secret_names @> array[$2::text] and deleted_at is null order by id limit 100`,
      [spaceId, secret],
    );
  }

  /** For a round trip of its own: gives `EventTask`. */
  describe(spaceId: string, ids: string[]): Read {
    return {
      name: 'describe-tasks',
      sql: `select id as task_id, type, active, application_id is not null as is_default from tasks
         where space_id = $1 and id = any($2::uuid[]) and deleted_at is null`,
      params: [spaceId, ids],
    };
  }

  remove(tx: Tx, spaceId: string, id: string): Promise<number> {
    return tx.count(
      `update tasks set deleted_at = clock_timestamp(), next_run_at = null, active = false where space_id = $1 and id = $2 and deleted_at is null`,
      [spaceId, id],
    );
  }

  /** Finds a row if a schedule is due within so many seconds. */
  anyDueWithin(seconds: number): Read {
    return {
      name: 'any-schedule-due',
      params: [seconds],
      sql: `select 1 from tasks
             where next_run_at <= (select clock_timestamp()) + make_interval(secs => $1)
               and (next_look_at is null or next_look_at <= (select clock_timestamp()) + make_interval(secs => $1)) limit 1`,
    };
  }

  async isAnyDueWithin(tx: Tx, seconds: number): Promise<boolean> {
    return (await tx.statement(this.anyDueWithin(seconds))).length > 0;
  }

  async count(tx: Tx, spaceId: string): Promise<number> {
    const row = await tx.one<{ count: number }>('select count(*)::int as count from tasks where space_id = $1', [
      spaceId,
    ]);
    return row?.count ?? 0;
  }

  /**
   * Schedules whose time has come, of `bytes` together or a little more, marked as being worked on. None of what they
   * hold is read yet.
   */
  takeDue({ limit, bytes, worker, slot }: { limit: number; bytes: number; worker: string; slot: string }): Read {
    return {
      name: 'take-due-schedules',
      params: [limit, bytes, worker, slot],
      sql: `
      with due as (
        select space_id, id, next_run_at from tasks
        where next_run_at <= (select clock_timestamp()) and (next_look_at is null or next_look_at <= (select clock_timestamp()))
          and not ${isQuiet} and id <> all(${setApart('schedule', { worker: '$3', slot: '$4' })})
        order by next_run_at limit $1 for no key update skip locked),
      sized as (
        select due.*, octet_length(t.steps::text) + octet_length(t.inputs::text) as bytes
        from due join tasks t on t.space_id = due.space_id and t.id = due.id),
      found as (
        select space_id, id from (select *, sum(bytes) over (order by next_run_at, id) - bytes as before from sized) placed
        where before < $2),
      marked as (
        insert into running_work (worker, slot, kind, ids) select $3, $4, 'schedule', array_agg(id) from found having count(*) > 0
        on conflict (worker, slot) do update set kind = excluded.kind, ids = excluded.ids, is_alone = false, at = clock_timestamp())
      select * from found order by space_id`,
    };
  }

  /** One of them, alone. Null where it is not due any more, or another one has it. */
  async findDue(tx: Tx, spaceId: string, id: string): Promise<(TaskRow & { now: string }) | null> {
    return tx.one(
      `select ${COLUMNS}, clock_timestamp() as now from tasks
       where space_id = $1 and id = $2 and next_run_at <= (select clock_timestamp()) for no key update skip locked`,
      [spaceId, id],
    );
  }

  async spaceOfSchedule(tx: Tx, id: string): Promise<string | null> {
    const row = await tx.one<{ spaceId: string }>(
      'select space_id from tasks where id = $1 and next_run_at is not null',
      [id],
    );
    return row?.spaceId ?? null;
  }

  /** A schedule that ends its process does not come again. Its due time has a run that failed; nothing of the task is read. */
  async stopSchedule(
    tx: Tx,
    id: string,
    executionId: string,
    error: { code: string; message: string },
  ): Promise<{ spaceId: string } | undefined> {
    const row = await tx.one<{ spaceId: string }>(
      `with due as (select space_id, id, next_run_at from tasks where id = $1 and next_run_at is not null for update),
       stopped as (
         update tasks t set next_run_at = null from due where t.space_id = due.space_id and t.id = due.id
         returning t.space_id, t.id, due.next_run_at as slot, t.version, t.timeout_seconds, t.owner_id),
       failed as (
         insert into executions (space_id, id, task_id, task_version, kind, status, steps, inputs, error, max_attempts, last_attempt,
           backoff_seconds, timeout_seconds, owner_id, correlation_id, depth, slot, finished_at)
         select space_id, $2, id, version, 'SCHEDULE', 'FAILED', '[]', '{}', $3, 1, 1, 0, timeout_seconds, owner_id, $2, 0, slot, clock_timestamp()
         from stopped on conflict do nothing)
       select space_id from stopped`,
      [id, executionId, JSON.stringify(error)],
    );
    return row ?? undefined;
  }

  /** Due at once, and then as its schedule says. */
  async startScheduleAgain(tx: Tx, spaceId: string, id: string): Promise<RetryOutcome> {
    const again = await tx.count(
      `update tasks set next_run_at = date_trunc('second', clock_timestamp()), next_look_at = null
       where space_id = $1 and id = $2 and type = 'SCHEDULE' and active and deleted_at is null and next_run_at is null`,
      [spaceId, id],
    );
    const found = 'select 1 from tasks where space_id = $1 and id = $2 and deleted_at is null';
    return again > 0 ? 'again' : notRetried(tx, found, [spaceId, id]);
  }

  /** The due time stays what it was: only the look at it is put off. */
  async postponeRun(tx: Tx, task: Pick<TaskRow, 'spaceId' | 'id'>, seconds: number): Promise<void> {
    await tx.run(
      'update tasks set next_look_at = clock_timestamp() + make_interval(secs => $3) where space_id = $1 and id = $2',
      [task.spaceId, task.id, seconds],
    );
  }

  async setNextRun(tx: Tx, task: TaskRow, nextRunAt: Date | null): Promise<void> {
    await tx.run('update tasks set next_run_at = $3 where space_id = $1 and id = $2', [
      task.spaceId,
      task.id,
      nextRunAt,
    ]);
  }
}
