import { Inject, Injectable } from '@nestjs/common';
import {
  type Ctx,
  type IssueSystemKey,
  type RotateSystemKey,
  type SystemKey,
  requireSpace,
} from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { AppError, type Clock } from '@switchyard/kernel';
import { CLOCK } from '@switchyard/service';
import { SecurityLog } from '../audit/security-log';
import { ApiKeysRepository } from '../db/api-keys.repository';
import { AuthCacheInvalidation } from '../secrets/auth-cache-invalidation';
import { ActiveKeyLimit } from './active-key-limit';
import { KeyIssuer, type KeyWithValue } from './create-and-rotate-keys';

/** The keys of installed applications: one each, and good for nothing but emitting. */
@Injectable()
export class SystemKeysService {
  constructor(
    private readonly database: Database,
    private readonly apiKeys: ApiKeysRepository,
    private readonly ceiling: ActiveKeyLimit,
    private readonly store: KeyIssuer,
    private readonly log: SecurityLog,
    private readonly signals: AuthCacheInvalidation,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async issue(ctx: Ctx, { applicationId, name }: IssueSystemKey): Promise<SystemKey> {
    const { issued, earlierId } = await this.database.transaction(ctx, async (tx) => {
      const earlierKey = await this.revokeIn(tx, ctx, applicationId);
      await this.ceiling.requireFreeSlot(tx, requireSpace(ctx));
      const key = await this.store.issue(tx, requireSpace(ctx), {
        type: 'SYSTEM',
        name: name.trim(),
        description: null,
        userId: null,
        applicationId,
        createdBy: ctx.userId,
        scopes: ['events:emit'],
        limits: {},
        expiresAt: null,
      });
      await this.log.inSpace(tx, ctx, 'key.created', key.row.id, { type: 'SYSTEM', applicationId });
      return { issued: key, earlierId: earlierKey };
    });
    if (earlierId !== null) await this.signals.revoked(ctx, [earlierId]);
    return systemKey(issued);
  }

  async rotate(ctx: Ctx, { applicationId, graceSeconds }: RotateSystemKey): Promise<SystemKey> {
    const renewed = await this.database.transaction(ctx, async (tx) => {
      const before = await this.apiKeys.findOfApplicationLocked(tx, requireSpace(ctx), applicationId);
      if (!before) throw new AppError('NOT_FOUND', 'This application has no active key.');
      const graceEndsAt = new Date(this.clock.now().getTime() + (graceSeconds ?? 0) * 1000);
      await this.log.inSpace(tx, ctx, 'key.rotated', before.id, { applicationId, graceSeconds: graceSeconds ?? 0 });
      return this.store.renew(tx, requireSpace(ctx), before.id, graceEndsAt);
    });
    await this.signals.changed(ctx, renewed.row.id, renewed.row.version);
    return systemKey(renewed);
  }

  async revoke(ctx: Ctx, applicationId: string): Promise<void> {
    const revokedId = await this.database.transaction(ctx, (tx) => this.revokeIn(tx, ctx, applicationId));
    if (revokedId !== null) await this.signals.revoked(ctx, [revokedId]);
  }

  private async revokeIn(tx: Tx, ctx: Ctx, applicationId: string): Promise<string | null> {
    const before = await this.apiKeys.findOfApplicationLocked(tx, requireSpace(ctx), applicationId);
    if (!before) return null;
    await this.apiKeys.revoke(tx, requireSpace(ctx), before.id);
    await this.log.inSpace(tx, ctx, 'key.revoked', before.id, { type: 'SYSTEM', applicationId });
    return before.id;
  }
}

const systemKey = ({ row, key }: KeyWithValue): SystemKey => ({ keyId: row.id, last4: row.last4, key });
