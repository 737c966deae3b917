import { Injectable } from '@nestjs/common';
import { type Ctx, requireSpace } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import type { JsonObject } from '@switchyard/kernel';
import { SecurityEventsRepository } from '../db/security-events.repository';

export type SpaceAction =
  | 'space.created'
  | 'space.changed'
  | 'space.webhook-secret-rotated'
  | 'member.added'
  | 'member.invited'
  | 'member.joined'
  | 'member.role-changed'
  | 'member.removed'
  | 'secret.created'
  | 'secret.changed'
  | 'secret.deleted'
  | 'key.created'
  | 'key.changed'
  | 'key.revoked'
  | 'key.rotated'
  | 'sign-in.opened'
  | 'sign-in.closed'
  | 'sign-in.reused';

export type AccountAction =
  | 'login.failed'
  | 'login.throttled'
  | 'account.created'
  | 'account.dropped'
  | 'password.changed'
  | 'identity.linked';

/** Writes beside the change itself, in its transaction: what is not recorded did not happen. */
@Injectable()
export class SecurityLog {
  constructor(private readonly securityEvents: SecurityEventsRepository) {}

  async inSpace(tx: Tx, ctx: Ctx, action: SpaceAction, target: string | null, details: JsonObject = {}): Promise<void> {
    await this.securityEvents.recordInSpace(tx, {
      spaceId: requireSpace(ctx),
      action,
      target,
      details,
      actorUserId: ctx.userId,
      credentialId: ctx.credentialId,
      requestId: ctx.requestId,
    });
  }

  async ofAccount(
    tx: Tx,
    ctx: Ctx,
    action: AccountAction,
    userId: string | null,
    details: JsonObject = {},
  ): Promise<void> {
    await this.securityEvents.recordOfAccount(tx, { action, userId, details, requestId: ctx.requestId });
  }
}
