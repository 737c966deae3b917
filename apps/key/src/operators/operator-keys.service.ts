import { Inject, Injectable } from '@nestjs/common';
import {
  type CreateOperatorKey,
  type Ctx,
  type ListOperatorKeys,
  NO_SPACE,
  type OfOperatorKey,
  type OperatorKeyView,
  type OperatorKeyWithValue,
  type Page,
  type RotateOperatorKey,
  type Scope,
  requireUser,
} from '@switchyard/contracts';
import { Database, type Tx, listByTime } from '@switchyard/database';
import { AppError, type Clock } from '@switchyard/kernel';
import { CLOCK } from '@switchyard/service';
import { SecurityLog } from '../audit/security-log';
import { type OperatorKeyRow, OperatorKeysRepository, operatorKey } from '../db/operator-keys.repository';
import { keyStatus } from '../domain/key-status';
import { refuseExpiry, unknownKey } from '../keys/key-permission-checks';
import { KeyIssuer } from '../keys/create-and-rotate-keys';
import { AuthCacheInvalidation } from '../secrets/auth-cache-invalidation';

const LIST = listByTime('operator-keys', (row: OperatorKeyRow) => ({ at: row.createdAt, id: row.id }));
const SHOWN_ONCE = { secretFields: ['key'] };

/** Keys for the programs of operators: they open `/operator`, and no Space. */
@Injectable()
export class OperatorKeysService {
  constructor(
    private readonly database: Database,
    private readonly keys: OperatorKeysRepository,
    private readonly store: KeyIssuer,
    private readonly log: SecurityLog,
    private readonly signals: AuthCacheInvalidation,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  list(request: ListOperatorKeys): Promise<Page<OperatorKeyView>> {
    const window = LIST.windowOf(request);
    return this.database.inSpace(NO_SPACE, async (tx) => {
      const rows = await this.keys.list(tx, { ...window, status: request.status ?? null });
      return LIST.pageOf(rows, window, (row) => this.view(row));
    });
  }

  create(ctx: Ctx, request: CreateOperatorKey): Promise<OperatorKeyWithValue> {
    const makerId = requireUser(ctx);
    const scopes = [...new Set(request.scopes ?? (['operator:read'] as const))];
    refuseExpiry(request.expiresAt, this.clock.now());
    const work = async (tx: Tx): Promise<OperatorKeyWithValue> => {
      const { row, key } = await this.store.issue(tx, NO_SPACE, {
        type: 'OPERATOR',
        name: request.name.trim(),
        description: null,
        userId: null,
        applicationId: null,
        createdBy: makerId,
        // Names that no key of a Space can hold; of this type nothing else reads them.
        scopes: scopes as string[] as Scope[],
        limits: {},
        expiresAt: request.expiresAt ?? null,
      });
      await this.log.ofPlatform(tx, ctx, 'operator.key.created', {
        target: row.id,
        details: { scopes, expiresAt: row.expiresAt },
      });
      return { ...this.view(operatorKey(row)), key };
    };
    return this.database.once(withoutSpace(ctx), work, SHOWN_ONCE);
  }

  async rotate(ctx: Ctx, { keyId, graceSeconds = 0 }: RotateOperatorKey): Promise<OperatorKeyWithValue> {
    const work = async (tx: Tx): Promise<OperatorKeyWithValue> => {
      const before = await this.getLocked(tx, keyId);
      // It ends with its maker, and must not open anything for another person after that one's own end.
      if (before.createdBy !== ctx.userId)
        throw new AppError('CONFLICT', 'An operator key is rotated by its maker alone. Revoke it and make a new one.');
      const now = this.clock.now();
      if (keyStatus(before, now) !== 'ACTIVE')
        throw new AppError('CONFLICT', 'Only an active key can be rotated. Make a new one instead.');
      const graceEndsAt = new Date(now.getTime() + graceSeconds * 1000);
      const { row, key } = await this.store.renew(tx, NO_SPACE, keyId, graceEndsAt);
      await this.log.ofPlatform(tx, ctx, 'operator.key.rotated', { target: keyId, details: { graceSeconds } });
      return { ...this.view(operatorKey(row)), key };
    };
    const answer = await this.database.once(withoutSpace(ctx), work, SHOWN_ONCE);
    // Said again for a repeat: the first time may not have been heard.
    const row = await this.database.inSpace(NO_SPACE, (tx) => this.keys.find(tx, keyId));
    if (row) await this.signals.changed(ctx, row.id, row.version);
    return answer;
  }

  async revoke(ctx: Ctx, { keyId }: OfOperatorKey): Promise<OperatorKeyView> {
    const row = await this.database.inSpace(NO_SPACE, async (tx) => {
      const before = await this.getLocked(tx, keyId);
      const revoked = await this.keys.revoke(tx, keyId);
      if (revoked) await this.log.ofPlatform(tx, ctx, 'operator.key.revoked', { target: keyId });
      return revoked ?? before;
    });
    await this.signals.revoked(ctx, [row.id]);
    return this.view(row);
  }

  private async getLocked(tx: Tx, keyId: string): Promise<OperatorKeyRow> {
    const row = await this.keys.findLocked(tx, keyId);
    if (!row) throw unknownKey();
    return row;
  }

  private view(row: OperatorKeyRow): OperatorKeyView {
    return {
      id: row.id,
      name: row.name,
      description: row.description,
      type: row.type,
      applicationId: row.applicationId,
      last4: row.last4,
      scopes: row.scopes,
      status: keyStatus(row, this.clock.now()),
      expiresAt: row.expiresAt,
      lastUsedAt: row.lastUsedAt,
      createdBy: row.createdBy,
      createdAt: row.createdAt,
      revokedAt: row.revokedAt,
    };
  }
}

/** Keys of operators, and their idempotency keys, are kept where no Space is. */
const withoutSpace = (ctx: Ctx): Ctx => ({ ...ctx, spaceId: NO_SPACE });
