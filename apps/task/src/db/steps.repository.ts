import { Injectable } from '@nestjs/common';
import type { ExecutionError, StepStatus } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';

export interface StepRow {
  executionId: string;
  stepId: string;
  status: StepStatus;
  attempt: number;
  /** Attempts since the last retry by hand: what the step's own retry rule counts. */
  tries: number;
  /** Attempts that ended because a service was unavailable. */
  outages: number;
  input: unknown;
  output: unknown;
  error: ExecutionError | null;
  startedAt: string | null;
  finishedAt: string | null;
  /** Size of input and output together. */
  bytes: number;
}

export const STEP_COLUMNS =
  'execution_id, step_id, status, attempt, tries, outages, input, output, error, started_at, finished_at, bytes';

const RESULTS = `from execution_steps where space_id = $1 and execution_id = $2
  and status in ('SUCCEEDED', 'FAILED', 'SKIPPED') and ($3::text[] is null or step_id = any($3::text[]))`;

@Injectable()
export class StepsRepository {
  findByExecutions(tx: Tx, spaceId: string, executionIds: string[]): Promise<StepRow[]> {
    return tx.query<StepRow>(
      `select ${STEP_COLUMNS} from execution_steps where space_id = $1 and execution_id = any($2::uuid[])`,
      [spaceId, executionIds],
    );
  }

  /** Results of an execution that another one reads. Null: of all its steps. */
  findResults(tx: Tx, spaceId: string, executionId: string, stepIds: readonly string[] | null): Promise<StepRow[]> {
    return tx.query<StepRow>(`select ${STEP_COLUMNS} ${RESULTS}`, [spaceId, executionId, stepIds]);
  }

  async bytesOfResults(
    tx: Tx,
    spaceId: string,
    executionId: string,
    stepIds: readonly string[] | null,
  ): Promise<number> {
    const row = await tx.one<{ bytes: number }>(`select coalesce(sum(bytes), 0)::int as bytes ${RESULTS}`, [
      spaceId,
      executionId,
      stepIds,
    ]);
    return row?.bytes ?? 0;
  }

  /** Called when executions have ended: no step ends after its execution. */
  async cancelRunning(tx: Tx, spaceId: string, executionIds: string[]): Promise<void> {
    await tx.run(
      `update execution_steps s set status = 'CANCELLED', finished_at = e.finished_at
       from executions e where s.space_id = $1 and s.execution_id = any($2::uuid[]) and s.status in ('RUNNING', 'PENDING')
         and e.space_id = $1 and e.id = s.execution_id`,
      [spaceId, executionIds],
    );
  }

  /** Attempt numbers continue, so each attempt has its own identity. */
  async clear(tx: Tx, spaceId: string, executionId: string, stepIds: string[]): Promise<void> {
    await tx.run(
      `update execution_steps set status = 'PENDING', tries = 0, outages = 0, input = null, output = null, error = null, bytes = 0, started_at = null, finished_at = null
       where space_id = $1 and execution_id = $2 and step_id = any($3::text[])`,
      [spaceId, executionId, stepIds],
    );
  }
}
