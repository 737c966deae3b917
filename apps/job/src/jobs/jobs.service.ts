import { Injectable } from '@nestjs/common';
import {
  type Ctx,
  DEFAULT_PAGE,
  JobSignals,
  type JobView,
  type ListJobs,
  type Page,
  type SubmitJob,
  requireSpace,
  requireUser,
  roleAtLeast,
} from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { AppError, encodeCursor, newId } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { JOB_LIST, type JobRow, JobsRepository } from '../db/jobs.repository';
import { onCancel } from '../domain/job-phase';
import { JobConfig } from '../job.config';
import { JobClaimer } from '../running/job-claimer';
import { JobRunner } from '../running/job-runner';
import { TurnPort } from '../running/turn-port';
import { JobChecks } from './job-checks';
import { JobEnding } from './job-ending';
import { jobView } from './job-view';

const DAYS_30 = 30 * 24;
const PRIORITY = 5;
const MAX_ATTEMPTS = 3;

@Injectable()
export class JobsService {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobsRepository,
    private readonly checks: JobChecks,
    private readonly ending: JobEnding,
    private readonly claimer: JobClaimer,
    private readonly runner: JobRunner,
    private readonly turns: TurnPort,
    private readonly config: JobConfig,
    private readonly bus: Bus,
  ) {}

  async submit(ctx: Ctx, request: SubmitJob): Promise<JobView> {
    const spaceId = requireSpace(ctx);
    const createdBy = requireUser(ctx);
    await this.checks.check(ctx, request);
    const { scopes, credentialId, credentialType, causationId, correlationId, depth } = ctx;
    const add = async (tx: Tx): Promise<JobView> => {
      const row = await this.jobs.add(tx, {
        spaceId,
        id: newId(),
        type: request.type,
        agentId: request.agentId,
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
      return jobView(row);
    };
    return this.database.once(ctx, add, { keepHours: DAYS_30 });
  }

  async list(ctx: Ctx, filter: ListJobs): Promise<Page<JobView>> {
    const limit = filter.limit ?? DEFAULT_PAGE;
    const maker = roleAtLeast(ctx.role, 'ADMIN') ? null : requireUser(ctx);
    const rows = await this.database.transaction(ctx, (tx) => this.jobs.list(tx, requireSpace(ctx), maker, filter));
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    return {
      items: items.map(jobView),
      nextCursor: rows.length > limit && last ? encodeCursor(JOB_LIST, [last.id]) : null,
    };
  }

  get(ctx: Ctx, jobId: string): Promise<JobView> {
    return this.database.transaction(ctx, async (tx) =>
      jobView(this.readable(ctx, await this.jobs.find(tx, requireSpace(ctx), jobId))),
    );
  }

  async cancel(ctx: Ctx, jobId: string): Promise<JobView> {
    const { before, after } = await this.cancelIn(ctx, jobId);
    // Its turn is still open, and nobody works on it: the answer tells that both are over.
    if (before.phase === 'WAITING_INPUT') await this.turns.stop(before);
    return jobView(after);
  }

  private cancelIn(ctx: Ctx, jobId: string): Promise<{ before: JobRow; after: JobRow }> {
    return this.database.transaction(ctx, async (tx) => {
      const job = this.readable(ctx, await this.jobs.findLocked(tx, requireSpace(ctx), jobId));
      if (job.createdBy !== ctx.userId) throw new AppError('FORBIDDEN', 'Only who submitted the job may cancel it.');
      switch (onCancel(job.phase)) {
        case null:
          throw new AppError('JOB_FINISHED', `The job has ended already: it is ${job.phase}.`);
        case 'CANCELLED':
          return { before: job, after: job.phase === 'CANCELLED' ? job : await this.cancelNow(tx, job) };
        case 'CANCELLING':
          return { before: job, after: await this.askToCancel(tx, ctx, job) };
      }
    });
  }

  /** From another replica, or this one. */
  onStop(jobId: string): void {
    this.runner.cancel(jobId);
  }

  private async cancelNow(tx: Tx, job: JobRow): Promise<JobRow> {
    const cancelled = await this.jobs.cancelNow(tx, job);
    await this.ending.of(tx, cancelled);
    return cancelled;
  }

  private async askToCancel(tx: Tx, ctx: Ctx, job: JobRow): Promise<JobRow> {
    const asked = await this.jobs.askToCancel(tx, job);
    tx.afterCommit(() => {
      this.runner.cancel(job.id);
      this.bus.signal(JobSignals.stop, ctx, { jobId: job.id });
    });
    return asked;
  }

  /** A job is its maker's; ADMIN and up may read it, and for everybody else it does not exist. */
  private readable(ctx: Ctx, job: JobRow | null): JobRow {
    if (!job || (job.createdBy !== ctx.userId && !roleAtLeast(ctx.role, 'ADMIN')))
      throw new AppError('NOT_FOUND', 'There is no such job of yours.');
    return job;
  }
}
