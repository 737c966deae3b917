import { Injectable } from '@nestjs/common';
import { type Ctx, type KeyLimits, type MakerLimits, type Scope, requireSpace } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { ApiKeysRepository, MAKERS_FOLLOWED } from '../db/api-keys.repository';

/** The API key that makes or changes another credential; null for a person. */
const ownKeyOf = ({ credentialType, credentialId }: Ctx): string | null =>
  credentialType === 'api_key' ? credentialId : null;

/** Credentials that a key makes have at most what it has, and count in its limits. */
@Injectable()
export class KeysOfKeys {
  constructor(private readonly apiKeys: ApiKeysRepository) {}

  /** A key that holds this scope from an earlier version gives it to no other: there it would count as named. */
  async requireNamed(tx: Tx, ctx: Ctx, requested: readonly Scope[]): Promise<void> {
    const ownId = ownKeyOf(ctx);
    if (ownId === null) return;
    const legacy = (await this.apiKeys.find(tx, requireSpace(ctx), ownId))?.legacyScopes ?? [];
    const given = requested.filter((scope) => legacy.includes(scope));
    if (given.length > 0)
      throw new AppError(
        'FORBIDDEN',
        `Nobody has given this key ${given.join(', ')} by name: a person must do so first.`,
      );
  }

  /** The key that makes one more. A longer chain than is followed would leave the limits of its first keys behind. */
  async makerWithin(tx: Tx, ctx: Ctx): Promise<string | null> {
    const ownId = ownKeyOf(ctx);
    if (ownId === null) return null;
    const makers = await this.apiKeys.makersOf(tx, requireSpace(ctx), ownId);
    if (makers.length >= MAKERS_FOLLOWED)
      throw new AppError(
        'CONFLICT',
        `Keys made by keys go ${MAKERS_FOLLOWED} deep. Use a key nearer to the first one.`,
      );
    return ownId;
  }

  /** The limits of the key that asks; none for a person. */
  async ownLimits(tx: Tx, ctx: Ctx): Promise<KeyLimits> {
    const ownId = ownKeyOf(ctx);
    return ownId === null ? {} : this.apiKeys.limitsOf(tx, requireSpace(ctx), ownId);
  }

  /**
   * A limited key may rotate a credential only if its own limits bound that one too: what was made by it counts in its
   * limits as well, any other has a budget of its own.
   */
  async refuseOthersOfLimitedKey(tx: Tx, ctx: Ctx, id: string): Promise<void> {
    const ownId = ownKeyOf(ctx);
    if (ownId === null || ownId === id) return;
    const spaceId = requireSpace(ctx);
    const makers = await this.apiKeys.makersOf(tx, spaceId, ownId);
    const isLimited =
      Object.keys(await this.apiKeys.limitsOf(tx, spaceId, ownId)).length > 0 || makers.some(isLimitedMaker);
    if (isLimited && !(await this.apiKeys.makersOf(tx, spaceId, id)).some(({ keyId }) => keyId === ownId))
      throw new AppError('FORBIDDEN', 'This key is limited: it can rotate itself and what was made by it, no others.');
  }
}

const isLimitedMaker = ({ keyId: _, ...limits }: MakerLimits): boolean => Object.keys(limits).length > 0;
