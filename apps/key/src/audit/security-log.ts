import { Injectable } from '@nestjs/common';
import { type Ctx, type EventActor, requireSpace } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import type { JsonObject } from '@switchyard/kernel';
import { NatsAccountsRepository } from '../db/nats-accounts.repository';
import { type EventOrigin, SecurityEventsRepository } from '../db/security-events.repository';
import { actorOf } from '../domain/event-actor';

export type SpaceAction =
  | 'space.created'
  | 'space.changed'
  | 'space.webhook-secret-rotated'
  | 'space.credited'
  | 'space.credit.refused'
  | 'space.ceilings.changed'
  | 'space.suspended'
  | 'space.resumed'
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
  | 'nats-account.created'
  | 'nats-account.changed'
  | 'nats-account.rotated'
  | 'nats-account.revoked'
  | 'sign-in.opened'
  | 'sign-in.closed'
  | 'sign-in.reused';

export type PlatformAction =
  | 'operator.granted'
  | 'operator.revoked'
  | 'operator.key.created'
  | 'operator.key.rotated'
  | 'operator.key.revoked'
  | 'user.password.reset'
  | 'user.disabled'
  | 'user.enabled'
  | 'sign-in.opened'
  | 'sign-in.closed'
  | 'sign-in.reused';

/** Logs an operator's action on an account, for the platform and each of its Spaces. */
type PersonAction = 'user.password.reset' | 'user.disabled' | 'user.enabled';

export type AccountAction =
  | 'login.failed'
  | 'login.throttled'
  | 'account.created'
  | 'account.dropped'
  | 'password.changed'
  | 'identity.linked';

/** Writes beside the change itself, in its transaction: if it cannot be recorded, the change does not happen either. */
@Injectable()
export class SecurityLog {
  constructor(
    private readonly securityEvents: SecurityEventsRepository,
    private readonly natsAccounts: NatsAccountsRepository,
  ) {}

  async inSpace(tx: Tx, ctx: Ctx, action: SpaceAction, target: string | null, details: JsonObject = {}): Promise<void> {
    await this.onSpace(tx, ctx, requireSpace(ctx), action, target, details);
  }

  /** As `inSpace`, of a Space that the context does not name: what an operator did to it, for instance. */
  async onSpace(
    tx: Tx,
    ctx: Ctx,
    spaceId: string,
    action: SpaceAction,
    target: string | null,
    details: JsonObject = {},
  ): Promise<void> {
    const origin = { ...originOf(ctx), actor: await this.actorOf(tx, ctx, spaceId) };
    await this.securityEvents.recordInSpace(tx, { spaceId, action, target, details, ...origin });
  }

  private async actorOf(tx: Tx, ctx: Ctx, spaceId: string): Promise<EventActor> {
    if (ctx.credentialType !== 'nats_account' || ctx.userId === null) return actorOf(ctx);
    return actorOf(ctx, (await this.natsAccounts.findById(tx, spaceId, ctx.userId))?.accountId);
  }

  /** Events of the platform, not of a Space: operators and their keys. */
  async ofPlatform(
    tx: Tx,
    ctx: Ctx,
    action: PlatformAction,
    { userId, target, details = {} }: { userId?: string; target: string; details?: JsonObject },
  ): Promise<void> {
    const event = { action, userId: userId ?? ctx.userId, target, details, ...originOf(ctx) };
    await this.securityEvents.recordOfAccount(tx, event);
  }

  async ofPerson(tx: Tx, ctx: Ctx, action: PersonAction, userId: string): Promise<void> {
    await this.ofPlatform(tx, ctx, action, { userId, target: userId });
    const event = { action, target: userId, details: {}, ...originOf(ctx) };
    await this.securityEvents.recordInSpacesOf(tx, userId, event);
  }

  /** The ledger's row names the event, so that it is recorded once. */
  async ofCredit(
    tx: Tx,
    spaceId: string,
    { id, details, origin }: { id: string; details: JsonObject; origin: EventOrigin },
  ): Promise<void> {
    const event = { id, spaceId, action: 'space.credited' as const, target: spaceId, details, ...origin };
    await this.securityEvents.recordInSpace(tx, event);
  }

  async ofRefusedCredit(tx: Tx, spaceId: string, details: JsonObject, origin: EventOrigin): Promise<void> {
    const event = { spaceId, action: 'space.credit.refused' as const, target: spaceId, details, ...origin };
    await this.securityEvents.recordInSpace(tx, event);
  }

  async ofAccount(
    tx: Tx,
    ctx: Ctx,
    action: AccountAction,
    userId: string | null,
    details: JsonObject = {},
  ): Promise<void> {
    const event = { action, userId, target: userId, details, ...originOf(ctx) };
    await this.securityEvents.recordOfAccount(tx, event);
  }
}

export const originOf = (ctx: Ctx): EventOrigin => ({
  actor: actorOf(ctx),
  actorUserId: ctx.userId,
  credentialId: ctx.credentialId,
  requestId: ctx.requestId,
});
