import { Injectable } from '@nestjs/common';
import { type Cause, type Lineage, type TaskType, type TriggerTask, requireReadable } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { type JsonObject, newId } from '@switchyard/kernel';
import { type ExecutionRow, ExecutionsRepository } from '../db/executions.repository';
import type { TaskRow } from '../db/task-columns';
import { TasksRepository } from '../db/tasks.repository';
import { firstStatus } from '../domain/execution-state';
import { ExecutionClaimer } from '../running/execution-claimer';
import { TaskConfig } from '../task.config';

export interface Start {
  kind: TaskType;
  inputs: JsonObject;
  requestedBy: string | null;
  /** The API key whose limits the run counts against: the starter's, or that of a task which starts by itself. */
  keyId: string | null;
  cause: Cause;
  deliveryId?: string;
  slot?: Date;
  rerunOf?: string;
  triedStep?: string;
  /** Bytes of the step results of `rerunOf` that it reads. */
  readBytes?: number;
  /** The piece of work that starts it. */
  lineage?: Lineage;
}

/** A chain's records are found by its correlation; what begins one inside another tree names that tree's root. */
const otherRoot = (lineage: Lineage | undefined, correlationId: string | null): string | null =>
  lineage === undefined || lineage.root === correlationId ? null : lineage.root;

const OVER_LIMIT = { code: 'CONFLICT', message: "The task's concurrency limit was reached, and its policy is SKIP." };

/** All executions are created here. */
@Injectable()
export class ExecutionStarter {
  constructor(
    private readonly executions: ExecutionsRepository,
    private readonly tasks: TasksRepository,
    private readonly claimer: ExecutionClaimer,
    private readonly config: TaskConfig,
  ) {}

  /** Null when the delivery or the due time has its execution already. */
  async start(tx: Tx, task: TaskRow, start: Start): Promise<ExecutionRow | null> {
    requireReadable(task.oversized);
    const id = start.deliveryId ?? newId();
    const error = await this.refusal(tx, task, start);
    const row = await this.executions.add(tx, {
      spaceId: task.spaceId,
      id,
      taskId: task.id,
      taskVersion: task.version,
      kind: start.kind,
      status: error === null ? 'QUEUED' : 'SKIPPED',
      steps: task.steps,
      inputs: start.inputs,
      error,
      maxAttempts: task.retry.maxAttempts,
      backoffSeconds: task.retry.backoffSeconds,
      timeoutSeconds: task.timeoutSeconds,
      ownerId: task.ownerId,
      scopes: task.scopes,
      keyId: start.keyId,
      requestedBy: start.requestedBy,
      causationId: start.cause.causationId,
      // A run without a cause is a root itself: its consequences are counted under its own id.
      correlationId: start.cause.correlationId ?? id,
      depth: start.cause.depth,
      rerunOf: start.rerunOf ?? null,
      triedStep: start.triedStep ?? null,
      readBytes: start.readBytes ?? 0,
      parent: start.lineage?.parent ?? null,
      root: otherRoot(start.lineage, start.cause.correlationId),
      deliveryId: start.deliveryId ?? null,
      slot: start.slot ?? null,
    });
    if (row?.status === 'QUEUED')
      tx.afterCommit(() => {
        this.claimer.wake();
      });
    return row;
  }

  /** As many of these deliveries as can be started together; the caller sees to the others. */
  async startTriggered(
    tx: Tx,
    spaceId: string,
    deliveries: readonly TriggerTask[],
  ): Promise<ReadonlyMap<string, string>> {
    const started = await this.executions.addTriggered(tx, spaceId, deliveries);
    if (started.size > 0)
      tx.afterCommit(() => {
        this.claimer.wake();
      });
    return started;
  }

  private async refusal(
    tx: Tx,
    task: TaskRow,
    { cause, kind }: Start,
  ): Promise<{ code: string; message: string } | null> {
    const deepest = this.config.EVENT_MAX_DEPTH;
    // The event bus has judged what events start; only an operator's replay reaches deeper, on purpose.
    if (kind !== 'EVENT' && cause.depth > deepest)
      return {
        code: 'DEPTH_LIMIT',
        message: `Runs may start runs down to depth ${deepest}; this one would be at ${cause.depth}.`,
      };
    if (task.concurrencyPolicy === 'QUEUE') return null;
    // The lock makes starts of one task count one after the other.
    await this.tasks.findLocked(tx, task.spaceId, task.id);
    const unfinished = await this.executions.countUnfinished(tx, task.spaceId, task.id);
    return firstStatus({ policy: task.concurrencyPolicy, limit: task.concurrencyLimit }, unfinished) === 'SKIPPED'
      ? OVER_LIMIT
      : null;
  }
}
