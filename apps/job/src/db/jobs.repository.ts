import { Injectable } from '@nestjs/common';
import { type JobError, type JobInput, type JobPhase, type JobType, type ListJobs } from '@switchyard/contracts';
import type { CredentialType } from '@switchyard/contracts';
import { type PageWindow, type Tx, listColumn } from '@switchyard/database';
import type { JsonObject } from '@switchyard/kernel';

export interface JobRow {
  spaceId: string;
  id: string;
  type: JobType;
  agentId: string;
  input: JobInput;
  phase: JobPhase;
  progress: number;
  progressMessage: string | null;
  result: JsonObject | null;
  error: JobError | null;
  attempt: number;
  nextAttempt: number;
  maxAttempts: number;
  /** Turns begun so far: the name of the current one is made of it. */
  turns: number;
  turnId: string | null;
  interaction: JsonObject | null;
  priority: number;
  timeoutSeconds: number;
  callbackUrl: string | null;
  metadata: JsonObject;
  createdBy: string;
  scopes: string[];
  credentialId: string | null;
  credentialType: CredentialType;
  causationId: string | null;
  correlationId: string | null;
  depth: number;
  epoch: number;
  deadlineAt: string | null;
  heartbeatAt: string | null;
  cancelRequestedAt: string | null;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
}

export type NewJob = Pick<
  JobRow,
  | 'spaceId'
  | 'id'
  | 'type'
  | 'agentId'
  | 'input'
  | 'maxAttempts'
  | 'priority'
  | 'timeoutSeconds'
  | 'callbackUrl'
  | 'metadata'
  | 'createdBy'
  | 'scopes'
  | 'credentialId'
  | 'credentialType'
  | 'causationId'
  | 'correlationId'
  | 'depth'
>;

const NAMES = `space_id, id, type, agent_id, input, phase, progress, progress_message, result, error, attempt, next_attempt, max_attempts, turns, turn_id,
  interaction, priority, timeout_seconds, callback_url, metadata, created_by, scopes, credential_id, credential_type, causation_id, correlation_id, depth,
  epoch, deadline_at, heartbeat_at, cancel_requested_at, created_at, started_at, finished_at`;

export const JOB_COLUMNS = NAMES.split(',')
  .map((name) => `j.${name.trim()}`)
  .join(', ');

const LONG = new Set(['input', 'result', 'metadata', 'interaction']);
/** Long values do not leave the database for a list. */
const LISTED_COLUMNS = NAMES.split(',')
  .map((name) => name.trim())
  .map((name) => (LONG.has(name) ? listColumn(`j.${name}`, name) : `j.${name}`))
  .join(', ');

/** Jobs as their makers see them. */
@Injectable()
export class JobsRepository {
  async add(tx: Tx, job: NewJob): Promise<JobRow> {
    const [input, metadata] = [JSON.stringify(job.input), JSON.stringify(job.metadata)];
    const row = await tx.one<JobRow>(
      `insert into jobs as j (space_id, id, type, agent_id, input, phase, max_attempts, priority, timeout_seconds, callback_url, metadata, created_by, scopes,
         credential_id, credential_type, causation_id, correlation_id, depth, bytes)
       values ($1, $2, $3, $4, $5, 'QUEUED', $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) returning ${JOB_COLUMNS}`,
      [
        job.spaceId,
        job.id,
        job.type,
        job.agentId,
        input,
        job.maxAttempts,
        job.priority,
        job.timeoutSeconds,
        job.callbackUrl,
        metadata,
        job.createdBy,
        job.scopes,
        job.credentialId,
        job.credentialType,
        job.causationId,
        job.correlationId,
        job.depth,
        Buffer.byteLength(input) + Buffer.byteLength(metadata),
      ],
    );
    return row as JobRow;
  }

  findLocked(tx: Tx, spaceId: string, id: string): Promise<JobRow | null> {
    return tx.one<JobRow>(`select ${JOB_COLUMNS} from jobs j where space_id = $1 and id = $2 for update`, [
      spaceId,
      id,
    ]);
  }

  /** `maker` null: of everybody. */
  list(
    tx: Tx,
    spaceId: string,
    { maker, phase, agentId }: ListJobs & { maker: string | null },
    { after, take }: PageWindow<string>,
  ): Promise<JobRow[]> {
    return tx.query<JobRow>(
      `select ${LISTED_COLUMNS} from jobs j where space_id = $1 and ($2::uuid is null or created_by = $2) and ($3::uuid is null or id < $3::uuid)
         and ($4::text is null or phase = $4) and ($5::uuid is null or agent_id = $5) order by id desc limit $6`,
      [spaceId, maker, after, phase ?? null, agentId ?? null, take],
    );
  }

  /** The new epoch shuts out whoever may still hold it. */
  async cancelNow(tx: Tx, job: JobRow): Promise<JobRow> {
    const row = await tx.one<JobRow>(
      `update jobs j set phase = 'CANCELLED', epoch = epoch + 1, worker = null, lease_until = null, interaction = null, error = null,
         cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()), finished_at = clock_timestamp(), progress_message = 'Cancelled'
       where space_id = $1 and id = $2 returning ${JOB_COLUMNS}`,
      [job.spaceId, job.id],
    );
    return row as JobRow;
  }

  async askToCancel(tx: Tx, job: JobRow): Promise<JobRow> {
    const row = await tx.one<JobRow>(
      `update jobs j set phase = 'CANCELLING', run_at = clock_timestamp(), cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()), progress_message = 'Cancelling'
       where space_id = $1 and id = $2 returning ${JOB_COLUMNS}`,
      [job.spaceId, job.id],
    );
    return row as JobRow;
  }
}
