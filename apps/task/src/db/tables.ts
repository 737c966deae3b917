import type { ConcurrencyPolicy, Oversized, TaskSchedule, TaskStep, TaskType } from '@switchyard/contracts';
import { column, defineTable } from '@switchyard/database';
import type { JsonObject } from '@switchyard/kernel';

const { counted, filled, flag, int, json, listOf, nullable, savedAt, tenantKey, text, time, uuid } = column;
const NOW = 'clock_timestamp()';

export const tasks = defineTable(
  'tasks',
  {
    ...tenantKey,
    name: text(),
    description: nullable(text()),
    type: text<TaskType>(),
    active: flag(),
    ownerId: nullable(uuid()),
    steps: json<TaskStep[]>(),
    inputs: json<JsonObject>(),
    schedule: nullable(json<TaskSchedule>()),
    nextRunAt: nullable(time()),
    /** When the scheduler looks at it again; null while it looks as soon as the task is due. */
    nextLookAt: filled(nullable(time())),
    concurrencyLimit: int(),
    concurrencyPolicy: text<ConcurrencyPolicy>(),
    retry: json<{ maxAttempts: number; backoffSeconds: number }>(),
    timeoutSeconds: int(),
    metadata: json<JsonObject>(),
    version: counted(filled(int(), 1)),
    applicationId: nullable(uuid()),
    defaultRevision: nullable(int()),
    createdAt: filled(time(), NOW),
    updatedAt: savedAt(NOW),
    deletedAt: filled(nullable(time())),
    /** Kept by a trigger: the fields that are over their limits. */
    oversized: filled(nullable(json<Oversized[]>())),
    /** Kept from the steps by a trigger. */
    secretNames: filled(nullable(listOf(text()))),
    /**
     * Scopes of its runs, from the last person or key that saved it. Null for tasks saved before scopes were recorded.
     */
    scopes: nullable(listOf(text())),
    /** The API key that saved it last: runs without a caller count against its limits. */
    keyId: nullable(text()),
  },
  {
    indexes: {
      tasks_due: { columns: ['nextRunAt'], where: 'next_run_at is not null' },
      tasks_deleted: { columns: ['deletedAt'], where: 'deleted_at is not null and application_id is null' },
    },
    otherIndexes: ['tasks_of_a_secret'],
    checks: {
      tasks_type_check: `type in ('MANUAL', 'SCHEDULE', 'EVENT')`,
      tasks_concurrency_policy_check: `concurrency_policy in ('QUEUE', 'SKIP')`,
    },
  },
);

/** Executions and their steps are claimed, leased and written by workers: their SQL is in their files. */
export const tables = [tasks];
