import { Injectable } from '@nestjs/common';
import {
  type Ctx,
  type EventActor,
  type ListEvents,
  type ListSecurityEvents,
  type Page,
  type PlatformEventView,
  type SecurityEvent,
  type SecurityEventsRequest,
  type SecurityEventView,
  requireSpace,
} from '@switchyard/contracts';
import { Database, type Tx, listByTime } from '@switchyard/database';
import { ApiKeysRepository } from '../db/api-keys.repository';
import { NatsAccountsRepository } from '../db/nats-accounts.repository';
import {
  type EventFilter,
  type EventOrigin,
  type PlatformEventRow,
  type SpaceEventRow,
  SecurityEventsRepository,
} from '../db/security-events.repository';
import { actorOf } from '../domain/event-actor';
import { requireOwnSpace } from '../domain/require-own-space';

const LIST = listByTime('security-events', (row: SpaceEventRow) => row);
const ALL = listByTime('platform-events', (row: PlatformEventRow) => row);
const LINES_AT_ONCE = 100;

const filterOf = ({ action, actor, from, to }: SecurityEventsRequest): EventFilter => ({
  action,
  actor: actor?.includes('-') === true ? actor.toLowerCase() : actor,
  from,
  to,
});

@Injectable()
export class SecurityEventsService {
  constructor(
    private readonly database: Database,
    private readonly securityEvents: SecurityEventsRepository,
    private readonly apiKeys: ApiKeysRepository,
    private readonly natsAccounts: NatsAccountsRepository,
  ) {}

  list(ctx: Ctx, request: ListSecurityEvents): Promise<Page<SecurityEventView>> {
    const window = LIST.windowOf(request);
    return this.database.transaction(ctx, async (tx) => {
      const rows = await this.securityEvents.list(tx, requireOwnSpace(ctx, request.spaceId), {
        ...filterOf(request),
        ...window,
      });
      return LIST.pageOf(rows, window, eventView);
    });
  }

  /** Of all Spaces, and of the platform. */
  listAll(request: ListEvents): Promise<Page<PlatformEventView>> {
    const window = ALL.windowOf(request);
    return this.database.system('list security events', async (tx) => {
      const rows = await this.securityEvents.listOfPlatform(tx, {
        spaceId: request.spaceId,
        ...filterOf(request),
        ...window,
      });
      return ALL.pageOf(rows, window, platformEventView);
    });
  }

  /** The same to the end, as NDJSON: neither its length nor a slow reader holds a transaction. */
  async *lines(ctx: Ctx, request: ListEvents): AsyncGenerator<string> {
    let cursor = request.cursor;
    do {
      const { items, nextCursor } = await this.listAll({ ...request, limit: LINES_AT_ONCE, cursor });
      for (const event of items) yield `${JSON.stringify(event)}\n`;
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined && !ctx.signal.aborted);
  }

  /** Events reported by other services. */
  async record(ctx: Ctx, { id, action, target, details }: SecurityEvent): Promise<void> {
    const event = {
      id,
      action,
      target,
      details,
      actor: actorOf(ctx),
      actorUserId: ctx.userId,
      credentialId: ctx.credentialId,
      requestId: ctx.requestId,
    };
    // An operator's act on work of the platform itself.
    if (ctx.operator && ctx.spaceId === null) {
      const ofPlatform = { ...event, userId: ctx.userId };
      await this.database.system('record a security event', (tx) =>
        this.securityEvents.recordOfAccount(tx, ofPlatform),
      );
      return;
    }
    const spaceId = requireSpace(ctx);
    await this.database.transaction(ctx, async (tx) => {
      const ofAccount = ctx.credentialType === 'nats_account' ? await this.originOfAccount(tx, ctx) : {};
      const isLegacy = action === 'approval.answered' && (await this.isLegacy(tx, spaceId, ctx.credentialId));
      const sent = isLegacy ? { ...details, legacy: true } : details;
      await this.securityEvents.recordInSpace(tx, { spaceId, ...event, ...ofAccount, details: sent });
    });
  }

  /** A NATS account acts under its record; one whose request was not read is named by the id that people know. */
  private async originOfAccount(tx: Tx, ctx: Ctx): Promise<Partial<EventOrigin>> {
    const { userId, credentialId } = ctx;
    const spaceId = requireSpace(ctx);
    const account =
      userId === null
        ? await this.natsAccounts.find(tx, spaceId, credentialId ?? '')
        : await this.natsAccounts.findById(tx, spaceId, userId);
    if (!account) return {};
    return { actor: actorOf(ctx, account.accountId), actorUserId: account.id, credentialId: account.id };
  }

  /** Whether an approval was answered with a key that was not given this right by name. */
  private async isLegacy(tx: Tx, spaceId: string, credentialId: string | null): Promise<boolean> {
    const key = credentialId === null ? null : await this.apiKeys.find(tx, spaceId, credentialId);
    return key?.legacyScopes.includes('approvals:answer') === true;
  }
}

/** Rows of before know the person alone. */
const keptActor = ({ actorType, actorId, actorUserId }: SpaceEventRow): EventActor => {
  if (actorType === null) return actorUserId === null ? { type: 'machine' } : { type: 'user', id: actorUserId };
  return actorId === null ? { type: actorType } : { type: actorType, id: actorId };
};

const eventView = (row: SpaceEventRow): SecurityEventView => ({
  id: row.id,
  action: row.action,
  target: row.target,
  details: row.details,
  actor: keptActor(row),
  actorUserId: row.actorUserId,
  credentialId: row.credentialId,
  requestId: row.requestId,
  at: row.at,
});

const platformEventView = (row: PlatformEventRow): PlatformEventView => ({ spaceId: row.spaceId, ...eventView(row) });
