import type { KeyLimits, KeyType, Scope } from '@switchyard/contracts';
import { column, defineTable } from '@switchyard/database';

const { bytes, counted, filled, int, json, listOf, nullable, tenantKey, text, timeMs, uuid } = column;
const NOW = 'now()';

export const apiKeys = defineTable(
  'api_keys',
  {
    ...tenantKey,
    name: text(),
    description: nullable(text()),
    type: text<KeyType>(),
    userId: nullable(uuid()),
    applicationId: nullable(uuid()),
    last4: text(),
    scopes: listOf(text<Scope>()),
    version: counted(filled(int(), 1)),
    expiresAt: nullable(timeMs()),
    lastUsedAt: filled(nullable(timeMs())),
    createdBy: nullable(uuid()),
    createdAt: filled(timeMs(), NOW),
    revokedAt: filled(nullable(timeMs())),
    limits: filled(json<KeyLimits>(), `'{}'`),
  },
  {
    indexes: {
      api_keys_newest: { columns: ['spaceId', 'createdAt', 'id'] },
      api_keys_of_a_user: { columns: ['spaceId', 'userId'] },
      api_keys_one_per_application: {
        columns: ['spaceId', 'applicationId'],
        unique: true,
        where: `type = 'SYSTEM' and revoked_at is null`,
      },
    },
    otherIndexes: ['api_keys_by_end'],
    checks: {
      api_keys_type_check: `type in ('USER', 'SYSTEM')`,
      api_keys_check: `(type = 'USER') = (user_id is not null)`,
      api_keys_check1: `(type = 'SYSTEM') = (application_id is not null)`,
    },
  },
);

export const secrets = defineTable(
  'secrets',
  {
    ...tenantKey,
    name: text(),
    description: nullable(text()),
    hosts: filled(listOf(text()), `'{}'`),
    sealed: bytes(),
    version: filled(int(), 1),
    createdBy: nullable(uuid()),
    createdAt: filled(timeMs(), NOW),
    updatedAt: filled(timeMs(), NOW),
    lastUsedAt: filled(nullable(timeMs())),
  },
  {
    indexes: { secrets_newest: { columns: ['spaceId', 'createdAt', 'id'] } },
    otherIndexes: ['secrets_one_of_a_name'],
  },
);

/** Accounts, members and sign-ins are read together and across Spaces: their SQL is in their files. */
export const tables = [apiKeys, secrets];
