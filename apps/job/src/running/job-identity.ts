import { Injectable } from '@nestjs/common';
import { type Ctx, KeyCalls, actAs, caused, isDisabledAccount, serviceCtx } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import type { JobRow } from '../db/jobs.repository';
import { turnOfJob } from '../domain/job-turn-ids';

const NO_MEMBER = 'The user who submitted the job is no longer a member of this Space.';
const DISABLED = 'The account of the user who submitted the job is disabled.';

/** The turn of the current attempt. */
export const turnIdOf = ({ id, turns }: Pick<JobRow, 'id' | 'turns'>): string => turnOfJob(id, turns);

/** A job acts as its maker, with the membership of this very moment and no more rights than it was submitted with. */
@Injectable()
export class JobIdentity {
  constructor(private readonly bus: Bus) {}

  /** For stopping what the job has begun, which needs no rights: its maker may have left the Space. */
  toStop({ spaceId, createdBy: userId }: Pick<JobRow, 'spaceId' | 'createdBy'>): Ctx {
    return actAs(serviceCtx('job'), { spaceId, userId });
  }

  async of(job: JobRow): Promise<Ctx> {
    const { spaceId, createdBy: userId } = job;
    const ctx = actAs(serviceCtx('job'), { spaceId });
    const { role } = await this.bus.call(KeyCalls.resolveMember, ctx, { userId, spaceId }).catch((error: unknown) => {
      const isNotFound = error instanceof AppError && error.code === 'NOT_FOUND';
      throw isNotFound ? new AppError('FORBIDDEN', isDisabledAccount(error) ? DISABLED : NO_MEMBER) : error;
    });
    const { scopes, credentialId, credentialType, causationId, correlationId, depth } = job;
    const acting = actAs(ctx, { userId, role, scopes, credentialId, credentialType });
    return {
      ...caused(acting, { causationId, correlationId, depth }),
      lineage: { root: job.id, parent: `job:${job.id}` },
    };
  }
}
