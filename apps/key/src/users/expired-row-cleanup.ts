import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Retention } from '@switchyard/service';
import { ApiKeysRepository } from '../db/api-keys.repository';
import { CreditIntentsRepository } from '../db/credit-intents.repository';
import { InvitationsRepository } from '../db/invitations.repository';
import { KeyValuesRepository } from '../db/key-values.repository';
import { PasswordResetsRepository } from '../db/password-resets.repository';
import { SecurityEventsRepository } from '../db/security-events.repository';
import { SignInsRepository } from '../db/sign-ins.repository';
import { KeyConfig } from '../key.config';

const ENDED_CREDENTIAL_DAYS = 7;
/** Longer than an idempotency key is known. */
const SETTLED_CREDIT_DAYS = 7;

/**
 * Deletes expired rows: secret values after their grace period, sign-ins with refresh tokens, invitations, keys, logs.
 */
@Injectable()
export class ExpiredRowCleanup implements OnModuleInit {
  constructor(
    private readonly apiKeys: ApiKeysRepository,
    private readonly credits: CreditIntentsRepository,
    private readonly invitations: InvitationsRepository,
    private readonly keyValues: KeyValuesRepository,
    private readonly resets: PasswordResetsRepository,
    private readonly securityEvents: SecurityEventsRepository,
    private readonly signIns: SignInsRepository,
    private readonly retention: Retention,
    private readonly config: KeyConfig,
  ) {}

  onModuleInit(): void {
    const { SECURITY_EVENTS_RETENTION_DAYS: eventDays, ENDED_KEYS_RETENTION_DAYS: keyDays } = this.config;
    this.retention.register('key values', (tx, limit) => this.keyValues.forget(tx, ENDED_CREDENTIAL_DAYS, limit));
    this.retention.register('sign-ins', (tx, limit) => this.signIns.forget(tx, ENDED_CREDENTIAL_DAYS, limit));
    this.retention.register('settled credits', (tx, limit) =>
      this.credits.removeSettled(tx, SETTLED_CREDIT_DAYS, limit),
    );
    this.retention.register('invitations', (tx, limit) => this.invitations.forget(tx, limit));
    this.retention.register('password resets', (tx, limit) => this.resets.forget(tx, limit));
    this.retention.register('API keys', (tx, limit) => this.apiKeys.forget(tx, keyDays, limit));
    this.retention.register('events of Spaces', (tx, limit) =>
      this.securityEvents.forgetOfSpaces(tx, eventDays, limit),
    );
    this.retention.register('events of accounts', (tx, limit) =>
      this.securityEvents.forgetOfAccounts(tx, eventDays, limit),
    );
  }
}
