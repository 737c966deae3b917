import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type CallableAgent,
  type Ctx,
  JobSignals,
  type JobSummary,
  type JobView,
  type ListJobs,
  type Page,
  type SubmitJob,
  requireSpace,
  requireUser,
} from '@switchyard/contracts';
import { Database, type Tx, listById, onceAfter } from '@switchyard/database';
import { AppError, RECORD_BYTES, jsonBytes, newId } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { PoisonedWork } from '@switchyard/service';
import { type JobRow, JobsRepository } from '../db/jobs.repository';
import { onCancel } from '../domain/job-phase';
import { JobConfig } from '../job.config';
import { JobClaimer } from '../running/job-claimer';
import { JobRunner } from '../running/job-runner';
import { TurnClient } from '../running/turn-client';
import { JobSubmissionChecks } from './job-submission-checks';
import { JobEndEffects } from '../callbacks/job-end-effects';
import { JobReading, makerOf } from '../records/job-reading.service';
import { jobView, listedJobView } from '../records/job-view';

const LIST = listById('jobs');
const DAYS_30 = 30 * 24;
const PRIORITY = 5;
const MAX_ATTEMPTS = 3;

@Injectable()
export class JobsService implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobsRepository,
    private readonly records: JobReading,
    private readonly checks: JobSubmissionChecks,
    private readonly ending: JobEndEffects,
    private readonly claimer: JobClaimer,
    private readonly runner: JobRunner,
    private readonly turns: TurnClient,
    private readonly config: JobConfig,
    private readonly bus: Bus,
    private readonly poisoned: PoisonedWork,
  ) {}

  onModuleInit(): void {
    this.poisoned.add({
      kind: 'job',
      retry: async (tx, { spaceId, id }) => {
        tx.afterCommit(() => {
          this.claimer.wake();
        });
        return spaceId === null ? 'absent' : this.jobs.startAgain(tx, spaceId, id);
      },
    });
  }

  async submit(ctx: Ctx, request: SubmitJob): Promise<JobView> {
    const spaceId = requireSpace(ctx);
    const createdBy = requireUser(ctx);
    const { scopes, credentialId, credentialType, causationId, correlationId, depth } = ctx;
    const add = async (tx: Tx, { name }: CallableAgent): Promise<JobView> => {
      const row = await this.jobs.add(tx, {
        spaceId,
        id: newId(),
        type: request.type,
        agentId: request.agentId,
        agentName: name,
        input: request.input,
        maxAttempts: request.maxAttempts ?? MAX_ATTEMPTS,
        priority: request.priority ?? PRIORITY,
        timeoutSeconds: request.timeoutSeconds ?? this.config.JOB_TIMEOUT_SECONDS,
        callbackUrl: request.callbackUrl ?? null,
        metadata: request.metadata ?? {},
        createdBy,
        scopes: [...scopes],
        credentialId,
        credentialType,
        causationId,
        correlationId,
        depth,
      });
      tx.afterCommit(() => {
        this.claimer.wake();
      });
      // The database writes JSON with spaces, at most half as long again.
      const bytes = jsonBytes(row.input, RECORD_BYTES / 2) + jsonBytes(row.metadata, RECORD_BYTES / 2);
      return bytes > RECORD_BYTES / 2 ? this.records.get(tx, ctx, row.id) : jobView(row);
    };
    return onceAfter(this.database, ctx, () => this.checks.check(ctx, request), add, { keepHours: DAYS_30 });
  }

  async list(ctx: Ctx, filter: ListJobs): Promise<Page<JobSummary>> {
    const window = LIST.windowOf(filter);
    const query = { ...filter, maker: makerOf(ctx) };
    const rows = await this.database.transaction(ctx, (tx) => this.jobs.list(tx, requireSpace(ctx), query, window));
    return LIST.pageOf(rows, window, listedJobView);
  }

  /** One picture: a job that grows between its sizes and its fields would be longer than a record may be. */
  get(ctx: Ctx, jobId: string): Promise<JobView> {
    return this.database.snapshot(ctx, (tx) => this.records.get(tx, ctx, jobId));
  }

  async cancel(ctx: Ctx, jobId: string): Promise<JobView> {
    const { before, view } = await this.database.transaction(ctx, async (tx) => {
      const job = await this.cancelIn(tx, ctx, jobId);
      return { before: job, view: await this.records.get(tx, ctx, jobId) };
    });
    // Its turn is still open, without a worker: the answer says that both have ended.
    if (before.phase === 'WAITING_INPUT') await this.turns.stop(before);
    return view;
  }

  /** Answers with the job as it was. */
  private async cancelIn(tx: Tx, ctx: Ctx, jobId: string): Promise<JobRow> {
    const job = this.readable(ctx, await this.jobs.findLocked(tx, requireSpace(ctx), jobId));
    if (job.createdBy !== ctx.userId) throw new AppError('FORBIDDEN', 'Only who submitted the job may cancel it.');
    switch (onCancel(job.phase)) {
      case null:
        throw new AppError('JOB_FINISHED', `The job has ended already: it is ${job.phase}.`);
      case 'CANCELLED':
        if (job.phase !== 'CANCELLED') await this.cancelNow(tx, job);
        break;
      case 'CANCELLING':
        await this.askToCancel(tx, ctx, job);
    }
    return job;
  }

  /** From another replica, or this one. */
  onStop(jobId: string): void {
    this.runner.cancel(jobId);
  }

  private async cancelNow(tx: Tx, job: JobRow): Promise<void> {
    await this.ending.of(tx, await this.jobs.cancelNow(tx, job));
  }

  private async askToCancel(tx: Tx, ctx: Ctx, job: JobRow): Promise<void> {
    await this.jobs.askToCancel(tx, job);
    tx.afterCommit(() => {
      this.runner.cancel(job.id);
      this.bus.signal(JobSignals.stop, ctx, { jobId: job.id });
      this.claimer.wake();
    });
  }

  /** A job is its maker's; ADMIN and up may read it, and for everybody else it does not exist. */
  private readable(ctx: Ctx, job: JobRow | null): JobRow {
    const maker = makerOf(ctx);
    if (!job || (maker !== null && job.createdBy !== maker)) throw new AppError('NOT_FOUND', 'Job not found');
    return job;
  }
}
