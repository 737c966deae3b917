import { Injectable } from '@nestjs/common';
import { NATS_ACCOUNT_REQUESTS_PER_MINUTE, type VerifiedKey } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { ApiKeysRepository } from '../db/api-keys.repository';
import { NatsAccountsRepository } from '../db/nats-accounts.repository';
import { standingOf } from '../domain/space-suspension-data';
import { LastUsedTracker } from '../keys/last-used-tracker';

@Injectable()
export class NatsAccountVerifier {
  constructor(
    private readonly database: Database,
    private readonly accounts: NatsAccountsRepository,
    private readonly apiKeys: ApiKeysRepository,
    private readonly lastUsed: LastUsedTracker,
  ) {}

  /** The NATS server has proved that the message is from this account: only its user may publish on its subjects. */
  async verify(accountId: string): Promise<VerifiedKey> {
    const found = await this.accounts.findInUse(this.database, accountId);
    if (!found) throw new AppError('UNAUTHORIZED', 'The account is not valid.');
    this.lastUsed.noteNatsAccount(found);
    const makers =
      found.madeByKey === null ? [] : await this.apiKeys.makersInUse(this.database, found.spaceId, found.id);
    const requestsPerMinute = found.limits.requestsPerMinute ?? NATS_ACCOUNT_REQUESTS_PER_MINUTE;
    return {
      credentialId: found.id,
      credentialType: 'nats_account',
      spaceId: found.spaceId,
      userId: found.id,
      role: found.role,
      scopes: found.scopes,
      limits: { ...found.limits, requestsPerMinute, ...(makers.length === 0 ? {} : { makers }) },
      applicationId: null,
      expiresAt: null,
      version: found.version,
      ...standingOf(found),
    };
  }
}
