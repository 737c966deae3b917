import { Injectable } from '@nestjs/common';
import type { ConcurrencyPolicy, ListTasks, TaskSchedule, TaskStep, TaskType } from '@switchyard/contracts';
import type { PageWindow, Read, Tx } from '@switchyard/database';
import type { JsonObject } from '@switchyard/kernel';

export interface TaskRow {
  spaceId: string;
  id: string;
  name: string;
  description: string | null;
  type: TaskType;
  active: boolean;
  ownerId: string | null;
  /** What its runs may do: given by whoever saved it last. Null for one that was saved before they were recorded. */
  scopes: string[] | null;
  /** The API key that saved it last: what runs by itself counts against its limits. */
  keyId: string | null;
  steps: TaskStep[];
  inputs: JsonObject;
  schedule: TaskSchedule | null;
  nextRunAt: string | null;
  concurrencyLimit: number;
  concurrencyPolicy: ConcurrencyPolicy;
  retry: { maxAttempts: number; backoffSeconds: number };
  timeoutSeconds: number;
  metadata: JsonObject;
  version: number;
  applicationId: string | null;
  defaultRevision: number | null;
  createdAt: string;
  updatedAt: string;
}

export type NewTask = Omit<TaskRow, 'version' | 'createdAt' | 'updatedAt'>;

const COLUMNS = `space_id, id, name, description, type, active, owner_id, steps, inputs, schedule, next_run_at, concurrency_limit,
  concurrency_policy, retry, timeout_seconds, metadata, version, application_id, default_revision, scopes, key_id, created_at, updated_at`;

const written = (task: NewTask): unknown[] => [
  task.spaceId,
  task.id,
  task.name,
  task.description,
  task.type,
  task.active,
  task.ownerId,
  JSON.stringify(task.steps),
  JSON.stringify(task.inputs),
  task.schedule === null ? null : JSON.stringify(task.schedule),
  task.nextRunAt,
  task.concurrencyLimit,
  task.concurrencyPolicy,
  JSON.stringify(task.retry),
  task.timeoutSeconds,
  JSON.stringify(task.metadata),
  task.applicationId,
  task.defaultRevision,
  task.scopes,
  task.keyId,
];

@Injectable()
export class TasksRepository {
  async add(tx: Tx, task: NewTask): Promise<TaskRow> {
    const row = await tx.one<TaskRow>(
      `insert into tasks (space_id, id, name, description, type, active, owner_id, steps, inputs, schedule, next_run_at, concurrency_limit,
         concurrency_policy, retry, timeout_seconds, metadata, application_id, default_revision, scopes, key_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20) returning ${COLUMNS}`,
      written(task),
    );
    return row as TaskRow;
  }

  async save(tx: Tx, task: NewTask): Promise<TaskRow> {
    const row = await tx.one<TaskRow>(
      `update tasks set name = $3, description = $4, type = $5, active = $6, owner_id = $7, steps = $8, inputs = $9, schedule = $10, next_run_at = $11,
         concurrency_limit = $12, concurrency_policy = $13, retry = $14, timeout_seconds = $15, metadata = $16, application_id = $17,
         default_revision = $18, scopes = $19, key_id = $20, version = version + 1, updated_at = clock_timestamp()
       where space_id = $1 and id = $2 returning ${COLUMNS}`,
      written(task),
    );
    return row as TaskRow;
  }

  find(tx: Tx, spaceId: string, id: string): Promise<TaskRow | null> {
    return tx.one<TaskRow>(`select ${COLUMNS} from tasks where space_id = $1 and id = $2 and deleted_at is null`, [
      spaceId,
      id,
    ]);
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
      `select ${COLUMNS.split(',')
        .map((name) => `t.${name.trim()}`)
        .join(', ')}, d.execution_id
       from (select (select id from executions where space_id = $1 and delivery_id = $3) as execution_id) d
       left join tasks t on t.space_id = $1 and t.id = $2 and t.deleted_at is null`,
      [spaceId, id, deliveryId],
    );
    return { task: row?.id ? row : null, executionId: row?.executionId ?? null };
  }

  /** Keeps the task as it is until the end of the transaction; other starts of it wait. */
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
    return tx.one('select deleted_at from tasks where space_id = $1 and id = $2', [spaceId, id]);
  }

  list(tx: Tx, spaceId: string, filter: ListTasks, { after, take }: PageWindow<string>): Promise<TaskRow[]> {
    return tx.query<TaskRow>(
      `select ${COLUMNS} from tasks where space_id = $1 and deleted_at is null and ($2::uuid is null or id < $2::uuid)
         and ($3::text is null or type = $3) and ($4::boolean is null or active = $4) and ($5::text is null or position(lower($5) in lower(name)) > 0)
       order by id desc limit $6`,
      [spaceId, after, filter.type ?? null, filter.active ?? null, filter.q ?? null, take],
    );
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

  /** Schedules whose time has come, each for one replica alone. */
  claimDue(tx: Tx, limit: number): Promise<(TaskRow & { now: string })[]> {
    return tx.query(
      `select ${COLUMNS}, clock_timestamp() as now from tasks
       where next_run_at <= clock_timestamp() and (next_look_at is null or next_look_at <= clock_timestamp())
       order by next_run_at limit $1 for no key update skip locked`,
      [limit],
    );
  }

  /** The due time stays what it was: only the look at it is put off. */
  async postponeRun(tx: Tx, task: TaskRow, seconds: number): Promise<void> {
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
