import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Retention } from '@switchyard/service';
import { apiKeysRepository } from '../db/api-keys.repository';
import { invitationsRepository } from '../db/invitations.repository';
import { keyValuesRepository } from '../db/key-values.repository';
import { securityEventsRepository } from '../db/security-events.repository';
import { signInsRepository } from '../db/sign-ins.repository';
import { KeyConfig } from '../key.config';

const ENDED_CREDENTIAL_DAYS = 7;

/** What ends with time: values after their grace, sign-ins with their refresh tokens, invitations, keys, the logs. */
@Injectable()
export class Housekeeping implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    private readonly config: KeyConfig,
  ) {}

  onModuleInit(): void {
    const { SECURITY_EVENTS_RETENTION_DAYS: eventDays, ENDED_KEYS_RETENTION_DAYS: keyDays } = this.config;
    this.retention.forget('key values', (tx, limit) => keyValuesRepository.forget(tx, ENDED_CREDENTIAL_DAYS, limit));
    this.retention.forget('sign-ins', (tx, limit) => signInsRepository.forget(tx, ENDED_CREDENTIAL_DAYS, limit));
    this.retention.forget('invitations', (tx, limit) => invitationsRepository.forget(tx, limit));
    this.retention.forget('API keys', (tx, limit) => apiKeysRepository.forget(tx, keyDays, limit));
    this.retention.forget('events of Spaces', (tx, limit) =>
      securityEventsRepository.forgetOfSpaces(tx, eventDays, limit),
    );
    this.retention.forget('events of accounts', (tx, limit) =>
      securityEventsRepository.forgetOfAccounts(tx, eventDays, limit),
    );
  }
}
