import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Ctx, KeyCalls, actAs, caused, serviceCtx } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import type { JobRow } from '../db/jobs.repository';

/** The same turn for the same job and count, whichever process asks: a second run finds the first one's turn. */
export function turnIdOf({ id, turns }: Pick<JobRow, 'id' | 'turns'>): string {
  const bytes = createHash('sha256').update(`${id}:${turns}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** A job acts as its maker, with the membership of this very moment and no more rights than it was submitted with. */
@Injectable()
export class JobIdentity {
  constructor(private readonly bus: Bus) {}

  async of(job: JobRow): Promise<Ctx> {
    const { spaceId, createdBy: userId } = job;
    const ctx = actAs(serviceCtx('job'), { spaceId });
    const { role } = await this.bus.call(KeyCalls.resolveMember, ctx, { userId, spaceId }).catch((error: unknown) => {
      const gone = error instanceof AppError && error.code === 'NOT_FOUND';
      throw gone ? new AppError('FORBIDDEN', 'Who submitted the job is no longer a member of this Space.') : error;
    });
    const { scopes, credentialId, credentialType, causationId, correlationId, depth } = job;
    return caused(actAs(ctx, { userId, role, scopes, credentialId, credentialType }), {
      causationId,
      correlationId,
      depth,
    });
  }
}
