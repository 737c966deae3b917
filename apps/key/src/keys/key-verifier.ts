import { Inject, Injectable } from '@nestjs/common';
import {
  type Ctx,
  type KeyValidity,
  type OperatorScope,
  type Scope,
  type VerifiedKey,
  isKeyShaped,
} from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { AppError, type Clock } from '@switchyard/kernel';
import { CLOCK } from '@switchyard/service';
import { type KeyInUse, ApiKeysRepository } from '../db/api-keys.repository';
import { opensNow } from '../domain/key-validity';
import { earlier } from '../domain/key-status';
import { standingOf } from '../domain/space-suspension-data';
import { KeyHasher } from '../secrets/key-hasher';
import { FailedAttemptLimiter, tooManyAttempts } from '../throttle/failed-attempt-limiter';
import { LastUsedTracker } from './last-used-tracker';

/** For each caller. */
const VALIDATIONS_PER_MINUTE = 30;
const CREDENTIAL_TYPES = { USER: 'api_key', SYSTEM: 'system_key', OPERATOR: 'operator_key' } as const;

@Injectable()
export class KeyVerifier {
  constructor(
    private readonly database: Database,
    private readonly apiKeys: ApiKeysRepository,
    private readonly hasher: KeyHasher,
    private readonly lastUsedTracker: LastUsedTracker,
    private readonly attempts: FailedAttemptLimiter,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async verify(key: string): Promise<VerifiedKey> {
    const found = await this.find(key);
    if (!found) throw new AppError('UNAUTHORIZED', 'The credential is not valid.');
    this.lastUsedTracker.note(found);
    const isOperators = found.type === 'OPERATOR';
    const makers =
      found.madeByKey === null ? [] : await this.apiKeys.makersInUse(this.database, found.spaceId, found.id);
    return {
      credentialId: found.id,
      credentialType: CREDENTIAL_TYPES[found.type],
      spaceId: isOperators ? null : found.spaceId,
      userId: isOperators ? found.createdBy : found.userId,
      role: found.role,
      scopes: isOperators ? [] : found.scopes,
      ...(isOperators ? { operatorScopes: found.scopes as OperatorScope[] } : {}),
      limits: makers.length === 0 ? found.limits : { ...found.limits, makers },
      applicationId: found.applicationId,
      ...(found.valueEndsAt === null ? {} : { isReplaced: true }),
      expiresAt: earlier(found.expiresAt, found.valueEndsAt),
      version: found.version,
      ...standingOf(found),
    };
  }

  /** One answer for everything that is not an active key of the caller's Space. */
  async validate(ctx: Ctx, key: string): Promise<KeyValidity> {
    await this.countCaller(ctx);
    const found = await this.find(key);
    if (!found || found.spaceId !== ctx.spaceId) return { valid: false };
    const { id: keyId, type, expiresAt } = found;
    return { valid: true, keyId, type, scopes: found.scopes as Scope[], expiresAt };
  }

  private async find(key: string): Promise<KeyInUse | null> {
    if (!isKeyShaped(key)) return null;
    const found = await this.apiKeys.findInUse(this.database, this.hasher.candidates(key));
    return found && opensNow(found, this.clock.now()) ? found : null;
  }

  private async countCaller(ctx: Ctx): Promise<void> {
    const caller = ctx.credentialType === 'jwt' ? `${ctx.userId}/${ctx.spaceId}` : String(ctx.credentialId);
    const count = await this.attempts.record('validate', caller);
    if (count.attempts <= VALIDATIONS_PER_MINUTE) return;
    throw tooManyAttempts('Too many validations. Wait a minute, then try again.', count);
  }
}
