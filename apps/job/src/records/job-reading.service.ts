import { Injectable } from '@nestjs/common';
import {
  type Ctx,
  JOB_CONTENT_FIELDS,
  type JobCallbackView,
  type JobContent,
  type JobView,
  requireSpace,
  requireUser,
  roleAtLeast,
} from '@switchyard/contracts';
import { type ContentPart, Database, type Tx, readContent } from '@switchyard/database';
import { AppError, RECORD_BYTES, fieldsToLink, linkedField } from '@switchyard/kernel';
import { CallbacksRepository } from '../db/callbacks.repository';
import { JobContentsRepository } from '../db/job-contents.repository';
import type { JobRow } from '../db/jobs.repository';
import { jobView, withLinks } from './job-view';

const notFound = (): AppError => new AppError('NOT_FOUND', 'Job not found');

/** Single jobs of any length: parts that are too long for one response are linked, and read separately. */
@Injectable()
export class JobReading {
  constructor(
    private readonly database: Database,
    private readonly contents: JobContentsRepository,
    private readonly callbacks: CallbacksRepository,
  ) {}

  /** A job is its maker's; ADMIN and up may read it, and for everybody else it does not exist. */
  async get(tx: Tx, ctx: Ctx, jobId: string): Promise<JobView> {
    const spaceId = requireSpace(ctx);
    const sizes = await this.contents.sizes(tx, spaceId, jobId);
    const linked = fieldsToLink(sizes, RECORD_BYTES);
    const row = readable(ctx, await this.contents.findWithout(tx, spaceId, jobId, [...linked]));
    const path = `/api/agent-jobs/${jobId}`;
    const links = sizes.filter(({ field }) => linked.has(field));
    return withLinks(jobView(row), new Map(links.map((size) => [size.field, linkedField(path, size)])));
  }

  callback(ctx: Ctx, jobId: string): Promise<JobCallbackView> {
    return this.database.transaction(ctx, async (tx) => {
      const spaceId = requireSpace(ctx);
      const job = readable(ctx, await this.contents.findWithout(tx, spaceId, jobId, [...JOB_CONTENT_FIELDS]));
      if (job.callbackUrl === null) throw new AppError('NOT_FOUND', 'The job has no callback.');
      const waiting = {
        status: 'WAITING',
        attempts: 0,
        lastResult: null,
        nextAttemptAt: null,
        finishedAt: null,
      } as const;
      return { url: job.callbackUrl, ...((await this.callbacks.find(tx, spaceId, jobId)) ?? waiting) };
    });
  }

  content(ctx: Ctx, { jobId, field }: JobContent): AsyncGenerator<Uint8Array> {
    const job = { spaceId: requireSpace(ctx), jobId, maker: makerOf(ctx) };
    const part = async (tx: Tx, offset: number): Promise<ContentPart | null> => {
      const found = await this.contents.part(tx, field, { ...job, offset });
      if (!found && offset === 0) throw notFound();
      return found;
    };
    return readContent((offset) => this.database.transaction(ctx, (tx) => part(tx, offset)), ctx.signal);
  }
}

/** Whose jobs the caller may read; null: those of everybody. */
export const makerOf = (ctx: Ctx): string | null => (roleAtLeast(ctx.role, 'ADMIN') ? null : requireUser(ctx));

function readable(ctx: Ctx, row: JobRow | null): JobRow {
  const maker = makerOf(ctx);
  if (!row || (maker !== null && row.createdBy !== maker)) throw notFound();
  return row;
}
