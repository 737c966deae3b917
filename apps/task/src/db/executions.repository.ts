import { Injectable } from '@nestjs/common';
import {
  type ExecutionError,
  type ExecutionStatus,
  OVERSIZED_FACTOR,
  SIZES,
  type TaskStep,
  type TaskType,
  type TriggerTask,
} from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { type JsonObject, sqlStates } from '@switchyard/kernel';
import { CANCELLABLE, RETRYABLE } from '../domain/execution-state';

export interface ExecutionRow {
  spaceId: string;
  id: string;
  taskId: string;
  taskVersion: number;
  kind: TaskType;
  status: ExecutionStatus;
  steps: TaskStep[];
  inputs: JsonObject;
  output: unknown;
  error: ExecutionError | null;
  attempt: number;
  lastAttempt: number;
  backoffSeconds: number;
  timeoutSeconds: number;
  ownerId: string | null;
  scopes: string[] | null;
  /** The API key whose limits it counts against. */
  keyId: string | null;
  requestedBy: string | null;
  causationId: string | null;
  correlationId: string | null;
  depth: number;
  rerunOf: string | null;
  /** The id of its only step, whose templates read the results of `rerunOf`. Null if it runs a whole task. */
  triedStep: string | null;
  root: string | null;
  slot: string | null;
  /** The turn that it waits for, or that it waited for last. */
  waitingTurn: string | null;
  epoch: number;
  takeovers: number;
  deadlineAt: string | null;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
}

export interface NewExecution {
  spaceId: string;
  id: string;
  taskId: string;
  taskVersion: number;
  kind: TaskType;
  status: 'QUEUED' | 'SKIPPED';
  steps: TaskStep[];
  inputs: JsonObject;
  error: ExecutionError | null;
  maxAttempts: number;
  backoffSeconds: number;
  timeoutSeconds: number;
  ownerId: string | null;
  scopes: string[] | null;
  keyId: string | null;
  requestedBy: string | null;
  causationId: string | null;
  correlationId: string;
  depth: number;
  rerunOf: string | null;
  triedStep: string | null;
  readBytes: number;
  parent: string | null;
  root: string | null;
  deliveryId: string | null;
  slot: Date | null;
}

const FIELDS =
  `space_id, id, task_id, task_version, kind, status, steps, inputs, output, error, attempt, last_attempt, backoff_seconds,
  timeout_seconds, owner_id, scopes, key_id, requested_by, causation_id, correlation_id, depth, rerun_of, tried_step, root, slot, waiting_turn, epoch, takeovers, deadline_at, created_at, started_at, finished_at`
    .split(',')
    .map((name) => name.trim());

/** Steps of before the limit of a task's steps are used up to this; larger ones stay in the database. */
export const READ_STEPS_BYTES = OVERSIZED_FACTOR * SIZES.steps;
/** On disk, compressed: where a column takes less, it is never so large that it must be measured. */
const UNMEASURED_BYTES = 2_000;

export const hasReadableSteps = (row: string): string =>
  `(pg_column_size(${row}steps) <= ${UNMEASURED_BYTES} or bytes_over(${row}steps, ${READ_STEPS_BYTES}) is null)`;

/** The columns of an execution: without its steps, if these are too large to be read. */
export const executionColumns = (row: string, replaced: Readonly<Record<string, string>> = {}): string => {
  const steps = `case when ${hasReadableSteps(row)} then ${replaced['steps'] ?? `${row}steps`} else '[]' end as steps`;
  return FIELDS.map((name) => (name === 'steps' ? steps : (replaced[name] ?? `${row}${name}`))).join(', ');
};

const EXECUTION_COLUMNS = executionColumns('');

@Injectable()
export class ExecutionsRepository {
  /** Null when the delivery or the due time has its execution already. */
  add(tx: Tx, execution: NewExecution): Promise<ExecutionRow | null> {
    const [steps, inputs] = [JSON.stringify(execution.steps), JSON.stringify(execution.inputs)];
    return tx.one<ExecutionRow>(
      `insert into executions (space_id, id, task_id, task_version, kind, status, steps, inputs, error, max_attempts, last_attempt, backoff_seconds, timeout_seconds,
         owner_id, requested_by, causation_id, correlation_id, depth, delivery_id, slot, rerun_of, scopes, parent, root, bytes, key_id, tried_step, finished_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, case when $6 = 'SKIPPED' then clock_timestamp() end)
       on conflict do nothing returning ${EXECUTION_COLUMNS}`,
      [
        execution.spaceId,
        execution.id,
        execution.taskId,
        execution.taskVersion,
        execution.kind,
        execution.status,
        steps,
        inputs,
        execution.error === null ? null : JSON.stringify(execution.error),
        execution.maxAttempts,
        execution.backoffSeconds,
        execution.timeoutSeconds,
        execution.ownerId,
        execution.requestedBy,
        execution.causationId,
        execution.correlationId,
        execution.depth,
        execution.deliveryId,
        execution.slot,
        execution.rerunOf,
        execution.scopes,
        execution.parent,
        execution.root,
        Buffer.byteLength(steps) + Buffer.byteLength(inputs) + execution.readBytes,
        execution.keyId,
        execution.triedStep,
      ],
    );
  }

  /**
   * Starts deliveries of active EVENT tasks that queue. Returns the execution of each by delivery; missing ones have an
   * execution already, or need a check of their task. An execution has the id of its delivery, so the event bus knows
   * it in advance.
   */
  async addTriggered(tx: Tx, spaceId: string, deliveries: readonly TriggerTask[]): Promise<Map<string, string>> {
    // Deliveries of one emission share it: its payload goes to the database once.
    const triggers = [...new Set(deliveries.map(({ trigger }) => trigger))];
    const texts = triggers.map((trigger) => JSON.stringify(trigger));
    const slots = new Map(triggers.map((trigger, at) => [trigger, at + 1]));
    const rows = await tx.prepared<{ deliveryId: string; id: string }>(
      'add-triggered',
      `insert into executions (space_id, id, task_id, task_version, kind, status, steps, inputs, max_attempts, last_attempt, backoff_seconds,
         timeout_seconds, owner_id, scopes, key_id, causation_id, correlation_id, depth, delivery_id, bytes)
       select $1, d.delivery_id, t.id, t.version, 'EVENT', 'QUEUED', t.steps, t.inputs || jsonb_build_object('trigger', e.trigger),
         (t.retry->>'maxAttempts')::int, (t.retry->>'maxAttempts')::int, (t.retry->>'backoffSeconds')::float8, t.timeout_seconds, t.owner_id, t.scopes, t.key_id,
         (e.trigger->>'id')::uuid, (e.trigger->>'correlationId')::uuid, (e.trigger->>'depth')::int, d.delivery_id,
         octet_length(t.steps::text) + octet_length(t.inputs::text) + e.bytes
       from unnest($2::uuid[], $3::uuid[], $4::int[]) with ordinality as d (delivery_id, task_id, emission, place)
       cross join lateral (select ($5::jsonb[])[d.emission] as trigger, ($6::int[])[d.emission] as bytes) e
       join tasks t on t.space_id = $1 and t.id = d.task_id and t.deleted_at is null and t.active and t.type = 'EVENT'
         and t.concurrency_policy = 'QUEUE'
       order by d.place on conflict do nothing returning delivery_id, id`,
      [
        spaceId,
        deliveries.map(({ deliveryId }) => deliveryId),
        deliveries.map(({ taskId }) => taskId),
        deliveries.map(({ trigger }) => slots.get(trigger)),
        texts,
        texts.map((text) => Buffer.byteLength(text)),
      ],
    );
    return new Map(rows.map(({ deliveryId, id }) => [deliveryId, id]));
  }

  find(tx: Tx, spaceId: string, id: string): Promise<ExecutionRow | null> {
    return tx.one<ExecutionRow>(`select ${EXECUTION_COLUMNS} from executions where space_id = $1 and id = $2`, [
      spaceId,
      id,
    ]);
  }

  findLocked(tx: Tx, spaceId: string, id: string): Promise<ExecutionRow | null> {
    return tx.one<ExecutionRow>(
      `select ${EXECUTION_COLUMNS} from executions where space_id = $1 and id = $2 for update`,
      [spaceId, id],
    );
  }

  findOfDelivery(tx: Tx, spaceId: string, deliveryId: string): Promise<{ id: string; status: ExecutionStatus } | null> {
    return tx.one('select id, status from executions where space_id = $1 and delivery_id = $2', [spaceId, deliveryId]);
  }

  async countUnfinished(tx: Tx, spaceId: string, taskId: string): Promise<number> {
    const row = await tx.one<{ n: number }>(
      `select (select count(*) from executions where space_id = $1 and task_id = $2 and status = 'QUEUED')
            + (select count(*) from executions where space_id = $1 and task_id = $2 and status = 'RUNNING') as n`,
      [spaceId, taskId],
    );
    return row?.n ?? 0;
  }

  /** Ends it at once: the new epoch fences out its worker. */
  cancel(tx: Tx, spaceId: string, id: string): Promise<ExecutionRow | null> {
    return tx.one<ExecutionRow>(
      `update executions set status = 'CANCELLED', error = null, epoch = epoch + 1, worker = null, lease_until = null, finished_at = clock_timestamp()
       where space_id = $1 and id = $2 and status in ${sqlStates(CANCELLABLE)} returning ${EXECUTION_COLUMNS}`,
      [spaceId, id],
    );
  }

  /** `isLeased` where a worker had it at that moment: of those there are only as many as workers. */
  cancelAllOf(tx: Tx, spaceId: string, taskId: string): Promise<{ id: string; isLeased: boolean }[]> {
    return tx.query(
      `with active as (
         select id, worker is not null as is_leased from executions
         where space_id = $1 and task_id = $2 and status in ${sqlStates(CANCELLABLE)} for update)
       update executions e set status = 'CANCELLED', error = null, epoch = epoch + 1, worker = null, lease_until = null,
         finished_at = clock_timestamp()
       from active where e.space_id = $1 and e.id = active.id returning e.id, active.is_leased`,
      [spaceId, taskId],
    );
  }

  /** A task that was switched off starts nothing more by itself; runs started by hand continue. */
  skipQueued(tx: Tx, spaceId: string, taskId: string, error: ExecutionError): Promise<number> {
    return tx.count(
      `update executions set status = 'SKIPPED', error = $3, finished_at = clock_timestamp()
       where space_id = $1 and task_id = $2 and status = 'QUEUED' and kind <> 'MANUAL' and requested_by is null and started_at is null`,
      [spaceId, taskId, JSON.stringify(error)],
    );
  }

  /** The task's retries start again with the manual attempt, by a caller with this key or none. */
  startAgain(tx: Tx, spaceId: string, id: string, keyId: string | null): Promise<ExecutionRow | null> {
    return tx.one<ExecutionRow>(
      `update executions set status = 'QUEUED', attempt = attempt + 1, last_attempt = attempt + max_attempts, error = null, output = null,
         run_at = clock_timestamp(), worker = null, lease_until = null, epoch = epoch + 1, takeovers = 0, lost_at = null, waiting_turn = null, looks = 0, deadline_at = null, finished_at = null,
         key_id = $3
       where space_id = $1 and id = $2 and status in ${sqlStates(RETRYABLE)} returning ${EXECUTION_COLUMNS}`,
      [spaceId, id, keyId],
    );
  }
}
