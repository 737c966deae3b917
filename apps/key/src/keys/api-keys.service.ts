import { Inject, Injectable } from '@nestjs/common';
import {
  type ApiKeyView,
  type ApiKeyWithValue,
  type ChangeKeyLimits,
  type CountedLimits,
  type CreateApiKey,
  type Ctx,
  type KeyLimits,
  type ListApiKeys,
  type Page,
  type RotateApiKey,
  type Scope,
  type UpdateApiKey,
  requireSpace,
  roleAtLeast,
} from '@switchyard/contracts';
import { Database, type Tx, listByTime, onceAfter } from '@switchyard/database';
import { AppError, type Clock } from '@switchyard/kernel';
import { CLOCK } from '@switchyard/service';
import { SecurityLog } from '../audit/security-log';
import { type ApiKeyRow, ApiKeysRepository } from '../db/api-keys.repository';
import { MembersRepository } from '../db/members.repository';
import { type KeyActor, mayManageKey, mayTakeOverKey } from '../domain/key-management-access';
import { changedLimits } from '../domain/key-limits';
import { earlier, keyStatus } from '../domain/key-status';
import { distinctScopes } from '../domain/missing-scopes';
import { AuthCacheInvalidation } from '../secrets/auth-cache-invalidation';
import { EntityLimits } from '../limits/entity-limits';
import {
  keyActor,
  refuseExpiry,
  refuseMoreThanOwnLimits,
  refuseMoreThanOwnScopes,
  refuseWidening,
  unknownKey,
} from './key-permission-checks';
import { ActiveKeyLimit } from './active-key-limit';
import { KeyIssuer } from './create-and-rotate-keys';
import { KeysOfKeys } from './keys-of-keys';
import { keyView } from './key-view';
import { LimitedAgents } from './check-agent-limits';

const LIST = listByTime('api-keys', (row: ApiKeyRow) => ({ at: row.createdAt, id: row.id }));

@Injectable()
export class ApiKeysService {
  constructor(
    private readonly database: Database,
    private readonly apiKeys: ApiKeysRepository,
    private readonly members: MembersRepository,
    private readonly makers: KeysOfKeys,
    private readonly ceiling: ActiveKeyLimit,
    private readonly store: KeyIssuer,
    private readonly log: SecurityLog,
    private readonly signals: AuthCacheInvalidation,
    private readonly slots: EntityLimits,
    private readonly agents: LimitedAgents,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  create(ctx: Ctx, request: CreateApiKey): Promise<ApiKeyWithValue> {
    const actor = keyActor(ctx);
    const spaceId = requireSpace(ctx);
    const scopes = distinctScopes(request.scopes ?? ['*']);
    refuseMoreThanOwnScopes(ctx, scopes);
    const check = async (): Promise<void> => {
      refuseExpiry(request.expiresAt, this.clock.now());
      await this.agents.requireKnown(ctx, request.limits);
    };
    const work = async (tx: Tx): Promise<ApiKeyWithValue> => {
      await this.requireFreeSlot(tx, spaceId, actor.userId);
      await this.makers.requireNamed(tx, ctx, scopes);
      const { row, key } = await this.store.issue(tx, spaceId, {
        type: 'USER',
        name: request.name.trim(),
        description: request.description ?? null,
        userId: actor.userId,
        applicationId: null,
        createdBy: actor.userId,
        madeByKey: await this.makers.makerWithin(tx, ctx),
        scopes,
        limits: await this.limitsWithin(tx, ctx, request.limits),
        expiresAt: await this.expiryWithin(tx, ctx, request.expiresAt ?? null),
      });
      const { type, expiresAt, limits } = row;
      await this.log.inSpace(tx, ctx, 'key.created', row.id, { type, scopes, expiresAt, limits });
      return { ...this.view(row), key };
    };
    return onceAfter(this.database, ctx, check, work, { secretFields: ['key'] });
  }

  list(ctx: Ctx, request: ListApiKeys): Promise<Page<ApiKeyView>> {
    const actor = keyActor(ctx);
    const ofUserId = roleAtLeast(actor.role, 'ADMIN') ? null : actor.userId;
    const window = LIST.windowOf(request);
    return this.database.transaction(ctx, async (tx) => {
      const query = { ...window, status: request.status ?? null, ofUserId };
      const rows = await this.apiKeys.list(tx, requireSpace(ctx), query);
      return LIST.pageOf(rows, window, (row) => this.view(row));
    });
  }

  get(ctx: Ctx, id: string): Promise<ApiKeyView> {
    return this.database.transaction(ctx, async (tx) => {
      const row = await this.apiKeys.find(tx, requireSpace(ctx), id);
      return this.view(manageable(keyActor(ctx), row));
    });
  }

  async update(ctx: Ctx, request: UpdateApiKey): Promise<ApiKeyView> {
    if (request.limits?.agents)
      await this.agents.requireKnown(ctx, request.limits, (await this.get(ctx, request.id)).limits);
    const row = await this.database.transaction(ctx, async (tx) => {
      const before = await this.getLocked(tx, ctx, request.id);
      if (before.revokedAt !== null) throw new AppError('CONFLICT', 'This key is revoked. Make a new one instead.');
      const scopes = distinctScopes(request.scopes ?? before.scopes);
      await this.refuseWidening(tx, ctx, before, scopes);
      if (request.expiresAt !== undefined) {
        refuseExpiry(request.expiresAt, this.clock.now());
        refuseMoreThanOwnScopes(ctx, scopes);
        if (keyStatus(before, this.clock.now()) === 'EXPIRED')
          await this.requireFreeSlot(tx, requireSpace(ctx), before.userId);
      }
      const expiresAt =
        request.expiresAt === undefined ? before.expiresAt : await this.expiryWithin(tx, ctx, request.expiresAt);
      const limits = changedLimits(before.limits, request.limits);
      if (request.limits !== undefined || request.expiresAt !== undefined)
        refuseMoreThanOwnLimits(await this.makers.ownLimits(tx, ctx), limits);
      const after = await this.apiKeys.update(tx, requireSpace(ctx), before.id, {
        name: request.name?.trim() ?? before.name,
        description: request.description === undefined ? before.description : request.description,
        expiresAt,
        scopes,
        legacyScopes: legacyAfter(ctx, before.legacyScopes, request.scopes && scopes),
        limits,
      });
      await this.log.inSpace(tx, ctx, 'key.changed', before.id, { scopes, expiresAt, limits });
      if (!after) throw unknownKey();
      return after;
    });
    await this.signals.changed(ctx, row.id, row.version);
    return this.view(row);
  }

  async revoke(ctx: Ctx, id: string): Promise<ApiKeyView> {
    const row = await this.database.transaction(ctx, async (tx) => {
      const before = await this.getLocked(tx, ctx, id);
      const revoked = await this.apiKeys.revoke(tx, requireSpace(ctx), id);
      if (revoked) await this.log.inSpace(tx, ctx, 'key.revoked', id, { type: before.type });
      return revoked ?? before;
    });
    // Said again for a key that was revoked before: the first time may not have been heard.
    await this.signals.revoked(ctx, [row.id]);
    return this.view(row);
  }

  async rotate(ctx: Ctx, { id, graceSeconds }: RotateApiKey): Promise<ApiKeyWithValue> {
    const renewed: ApiKeyRow[] = [];
    const work = async (tx: Tx): Promise<ApiKeyWithValue> => {
      const before = await this.getLocked(tx, ctx, id);
      await this.refuseTakeOver(tx, ctx, before);
      const now = this.clock.now();
      if (keyStatus(before, now) !== 'ACTIVE') {
        throw new AppError('CONFLICT', 'Only an active key can be rotated. Make a new one instead.');
      }
      const { row, key } = await this.store.renew(
        tx,
        requireSpace(ctx),
        id,
        new Date(now.getTime() + (graceSeconds ?? 0) * 1000),
      );
      await this.log.inSpace(tx, ctx, 'key.rotated', id, { graceSeconds: graceSeconds ?? 0 });
      renewed.push(row);
      return { ...this.view(row), key };
    };
    const answer = await this.database.once(ctx, work, { secretFields: ['key'] });
    // Said again for a repeat: the first time may not have been heard.
    const row =
      renewed.at(-1) ?? (await this.database.transaction(ctx, (tx) => this.apiKeys.find(tx, requireSpace(ctx), id)));
    if (row) await this.signals.changed(ctx, row.id, row.version);
    return answer;
  }

  /** For one more active key, made or brought back to life. */
  private async requireFreeSlot(tx: Tx, spaceId: string, userId: string | null): Promise<void> {
    await this.ceiling.requireFreeSlot(tx, spaceId);
    if (userId !== null) this.slots.requireFree('keys', await this.apiKeys.countActive(tx, spaceId, userId), userId);
  }

  /**
   * Scopes only shrink. The one that came later may be given to a key of before by a person who could make that key.
   */
  private async refuseWidening(tx: Tx, ctx: Ctx, key: ApiKeyRow, scopes: readonly Scope[]): Promise<void> {
    const isAdded = scopes.includes('approvals:answer') && !key.scopes.includes('approvals:answer');
    if (isAdded && ctx.credentialType === 'jwt') {
      refuseWidening([...key.scopes, 'approvals:answer'], scopes);
      return this.refuseHigherOwner(tx, ctx, key);
    }
    refuseWidening(key.scopes, scopes);
  }

  private async refuseHigherOwner(tx: Tx, ctx: Ctx, key: ApiKeyRow): Promise<void> {
    const owner = key.userId === null ? null : await this.members.find(tx, requireSpace(ctx), key.userId);
    if (owner && !roleAtLeast(ctx.role, owner.role))
      throw new AppError('FORBIDDEN', 'This key acts as a person with a higher role, who may add approvals:answer.');
  }

  private async getLocked(tx: Tx, ctx: Ctx, id: string): Promise<ApiKeyRow> {
    return manageable(keyActor(ctx), await this.apiKeys.findLocked(tx, requireSpace(ctx), id));
  }

  /** The new value has the key's rights, so only callers with the same rights may see it. */
  private async refuseTakeOver(tx: Tx, ctx: Ctx, key: ApiKeyRow): Promise<void> {
    refuseMoreThanOwnScopes(ctx, key.scopes);
    refuseMoreThanOwnLimits(await this.makers.ownLimits(tx, ctx), key.limits);
    await this.refuseBetterKey(tx, ctx, key);
    const owner = key.userId === null ? null : await this.members.find(tx, requireSpace(ctx), key.userId);
    if (!mayTakeOverKey(keyActor(ctx), key, owner?.role ?? null)) {
      throw new AppError(
        'FORBIDDEN',
        'This key acts as a person with a higher role. Revoke it, or let that person rotate it.',
      );
    }
  }

  /** A key may rotate another one only if that one ends before it, and if its own limits bound that one too. */
  private async refuseBetterKey(tx: Tx, ctx: Ctx, key: ApiKeyRow): Promise<void> {
    const ownId = ctx.credentialType === 'api_key' ? ctx.credentialId : null;
    if (ownId === null || ownId === key.id) return;
    const spaceId = requireSpace(ctx);
    const ends = (await this.apiKeys.find(tx, spaceId, ownId))?.expiresAt ?? null;
    if (ends !== null && earlier(ends, key.expiresAt) !== key.expiresAt)
      throw new AppError('FORBIDDEN', 'A key cannot rotate a key that lives longer than itself.');
    await this.makers.refuseOthersOfLimitedKey(tx, ctx, key.id);
  }

  /** For the services that enforce a key's limits, also after the key has ended. */
  limitsOf(ctx: Ctx, keyId: string): Promise<CountedLimits> {
    return this.database.transaction(ctx, async (tx) => {
      const limits = await this.apiKeys.limitsOf(tx, requireSpace(ctx), keyId);
      const makers = await this.apiKeys.makersOf(tx, requireSpace(ctx), keyId);
      return makers.length === 0 ? limits : { ...limits, makers };
    });
  }

  /** A key made by a key has its maker's limits where it names none, and never more. */
  private async limitsWithin(tx: Tx, ctx: Ctx, requested: ChangeKeyLimits | undefined): Promise<KeyLimits> {
    const own = await this.makers.ownLimits(tx, ctx);
    const limits = changedLimits(own, requested);
    refuseMoreThanOwnLimits(own, limits);
    return limits;
  }

  /** A created key does not outlive its creator. */
  private async expiryWithin(tx: Tx, ctx: Ctx, requested: string | null): Promise<string | null> {
    if (ctx.credentialType !== 'api_key' || ctx.credentialId === null) return requested;
    const own = (await this.apiKeys.find(tx, requireSpace(ctx), ctx.credentialId))?.expiresAt ?? null;
    if (requested !== null && own !== null && earlier(requested, own) !== requested) {
      throw new AppError('FORBIDDEN', 'A key cannot make a key that lives longer than itself.');
    }
    return requested ?? own;
  }

  private view(row: ApiKeyRow): ApiKeyView {
    return keyView(row, this.clock.now());
  }
}

/** A scope that a person names is no longer a legacy one; a key can only drop it. */
function legacyAfter(ctx: Ctx, before: Scope[], named: readonly Scope[] | undefined): Scope[] {
  if (named === undefined) return before;
  return ctx.credentialType === 'jwt' ? [] : before.filter((scope) => named.includes(scope));
}

/** A key that the caller may not manage does not exist for the caller. */
function manageable(actor: KeyActor, row: ApiKeyRow | null): ApiKeyRow {
  if (!row || !mayManageKey(actor, row)) throw unknownKey();
  return row;
}
