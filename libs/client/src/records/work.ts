export type JobPhase =
  | 'QUEUED'
  | 'RUNNING'
  | 'RETRYING'
  | 'WAITING_INPUT'
  | 'CANCELLING'
  | 'SUCCEEDED'
  | 'FAILED'
  | 'CANCELLED'
  | 'TIMED_OUT';

export interface NewJob {
  type: 'AGENT_INVOKE';
  agentId: string;
  input: Record<string, unknown>;
  idempotencyKey?: string;
  /** 0 to 9; 9 runs first. */
  priority?: number;
  maxAttempts?: number;
  timeoutSeconds?: number;
  callbackUrl?: string;
  metadata?: Record<string, unknown>;
}

export interface Job {
  id: string;
  type: string;
  agentId: string;
  phase: JobPhase;
  /** 0 to 100; it never goes back. */
  progress: number;
  progressMessage: string | null;
  result: Record<string, unknown> | null;
  error: { code: string; message: string } | null;
  attempt: number;
  maxAttempts: number;
  input: Record<string, unknown>;
  metadata: Record<string, unknown>;
  createdBy: string;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  heartbeatAt: string | null;
  cancelRequestedAt: string | null;
}

export interface Task {
  id: string;
  name: string;
  description: string | null;
  type: 'MANUAL' | 'SCHEDULE' | 'EVENT';
  active: boolean;
  ownerId: string;
  steps: Record<string, unknown>[];
  inputs: Record<string, unknown>;
  schedule: { cron: string; timezone: string; misfire: 'SKIP' | 'RUN_ONCE' } | null;
  nextRunAt: string | null;
  concurrency: { limit: number; policy: 'QUEUE' | 'SKIP' };
  retry: { maxAttempts: number; backoffSeconds: number };
  timeoutSeconds: number;
  metadata: Record<string, unknown>;
  version: number;
  createdAt: string;
  updatedAt: string;
}

export type NewTask = Pick<Task, 'name' | 'type'> & Partial<Task>;

export interface Execution {
  id: string;
  taskId: string;
  taskVersion: number;
  status: 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT' | 'SKIPPED';
  trigger: Record<string, unknown> | null;
  inputs: Record<string, unknown>;
  steps: Record<string, unknown>[];
  output: unknown;
  error: { code: string; message: string } | null;
  attempt: number;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  causationId: string | null;
  depth: number;
}

export interface Emission {
  appIdentifier: string;
  event: string;
  payload: Record<string, unknown>;
  /** The same key and payload again is answered with the first envelope. */
  idempotencyKey?: string;
}

export interface EmissionReceipt {
  envelopeId: string;
  status: 'PENDING' | 'DISPATCHED' | 'SKIPPED' | 'FAILED';
  duplicate: boolean;
}
