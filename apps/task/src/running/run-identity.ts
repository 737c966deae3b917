import { Injectable } from '@nestjs/common';
import { type Ctx, KeyCalls, actAs, caused, roleAtLeast, serviceCtx } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import type { ExecutionRow } from '../db/executions.repository';

const NO_OWNER = "The task's owner is no longer a member of this Space; save the task's steps to take it over.";
const WEAK_OWNER = "The task's owner may only read in this Space now; save the task's steps to take it over.";

/** A run acts as the owner of its task, with the membership of this very moment. */
@Injectable()
export class RunIdentity {
  constructor(private readonly bus: Bus) {}

  /** The context for everything the run does. Refuses with FORBIDDEN when the owner may no longer act. */
  async of(execution: ExecutionRow): Promise<Ctx> {
    const { spaceId, ownerId } = execution;
    const ctx = actAs(serviceCtx('task'), { spaceId });
    if (ownerId === null) throw new AppError('FORBIDDEN', NO_OWNER);
    const { role } = await this.bus
      .call(KeyCalls.resolveMember, ctx, { userId: ownerId, spaceId })
      .catch((error: unknown) => {
        throw error instanceof AppError && error.code === 'NOT_FOUND' ? new AppError('FORBIDDEN', NO_OWNER) : error;
      });
    if (!roleAtLeast(role, 'MEMBER')) throw new AppError('FORBIDDEN', WEAK_OWNER);
    const { causationId, correlationId, depth } = execution;
    return caused(actAs(ctx, { userId: ownerId, role, scopes: ['*'] }), { causationId, correlationId, depth });
  }
}
