import { natsSubjectsOf, type NatsAccountView, type OperatorNatsAccountView } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import type { NatsAccountRow } from '../db/nats-accounts.repository';

export const unknownAccount = (): AppError => new AppError('NOT_FOUND', 'NATS account not found.');

export const natsAccountView = (row: NatsAccountRow, url: string): NatsAccountView => ({
  id: row.accountId,
  actorId: row.id,
  spaceId: row.spaceId,
  name: row.name,
  role: row.role,
  scopes: row.scopes,
  limits: row.limits,
  status: row.revokedAt === null ? 'ACTIVE' : 'REVOKED',
  url,
  publicKey: row.publicKey,
  subjects: natsSubjectsOf(row.accountId),
  admittedAt: row.admittedAt,
  lastUsedAt: row.lastUsedAt,
  createdBy: row.createdBy,
  createdAt: row.createdAt,
  revokedAt: row.revokedAt,
});

export const operatorAccountView = (row: NatsAccountRow, now: Date): OperatorNatsAccountView => ({
  id: row.accountId,
  spaceId: row.spaceId,
  name: row.name,
  status: row.revokedAt === null ? 'ACTIVE' : 'REVOKED',
  publicKey: row.publicKey,
  previous:
    row.previousPublicKey !== null && row.previousUntil !== null && Date.parse(row.previousUntil) > now.getTime()
      ? { publicKey: row.previousPublicKey, until: row.previousUntil }
      : null,
});
