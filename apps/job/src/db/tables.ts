import type { CredentialType, JobError, JobInput, JobPhase, JobType } from '@switchyard/contracts';
import { column, defineTable } from '@switchyard/database';
import type { JsonObject } from '@switchyard/kernel';

const { filled, float, int, json, listOf, nullable, tenantKey, text, time, uuid } = column;
const NOW = 'clock_timestamp()';

export const jobs = defineTable(
  'jobs',
  {
    ...tenantKey,
    type: text<JobType>(),
    agentId: uuid(),
    input: json<JobInput>(),
    phase: text<JobPhase>(),
    progress: filled(float(), 0),
    progressMessage: filled(nullable(text())),
    result: filled(nullable(json<JsonObject>())),
    error: filled(nullable(json<JobError>())),
    attempt: filled(int(), 0),
    nextAttempt: filled(int(), 1),
    maxAttempts: int(),
    /** Turns begun so far: the name of the current one is made of it. */
    turns: filled(int(), 0),
    turnId: filled(nullable(uuid())),
    interaction: filled(nullable(json<JsonObject>())),
    priority: int(),
    timeoutSeconds: int(),
    callbackUrl: nullable(text()),
    metadata: json<JsonObject>(),
    createdBy: uuid(),
    scopes: listOf(text()),
    credentialId: nullable(text()),
    credentialType: text<CredentialType>(),
    causationId: nullable(uuid()),
    correlationId: nullable(uuid()),
    depth: int(),
    runAt: filled(time(), NOW),
    worker: filled(nullable(text())),
    epoch: filled(int(), 0),
    leaseUntil: filled(nullable(time())),
    takeovers: filled(int(), 0),
    deadlineAt: filled(nullable(time())),
    waitingSince: filled(nullable(time())),
    heartbeatAt: filled(nullable(time())),
    cancelRequestedAt: filled(nullable(time())),
    createdAt: filled(time(), NOW),
    startedAt: filled(nullable(time())),
    finishedAt: filled(nullable(time())),
    looks: filled(int(), 0),
    bytes: filled(int(), 0),
    lostAt: filled(nullable(time())),
    takenAt: filled(nullable(time())),
    /** At submission; null of jobs of 0.1.0. */
    agentName: nullable(text()),
  },
  {
    indexes: {
      jobs_of_maker: { columns: ['spaceId', 'createdBy', 'id'] },
      jobs_of_space: { columns: ['spaceId', 'phase', 'createdAt', 'id'] },
      jobs_of_user: { columns: ['spaceId', 'createdBy', 'phase', 'createdAt', 'id'] },
    },
    otherIndexes: [
      'jobs_age',
      'jobs_busy',
      'jobs_chain',
      'jobs_deadline',
      'jobs_leased',
      'jobs_loose',
      'jobs_next',
      'jobs_of_turn',
      'jobs_queued',
    ],
    checks: {
      jobs_type_check: `type in ('AGENT_INVOKE')`,
      jobs_phase_check: `phase in ('QUEUED', 'RUNNING', 'RETRYING', 'WAITING_INPUT', 'CANCELLING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'TIMED_OUT')`,
      jobs_progress_check: 'progress between 0 and 100',
      jobs_check: 'result is null or error is null',
    },
  },
);

/** Phase changes and callbacks are written by the SQL of their own files. */
export const tables = [jobs];
