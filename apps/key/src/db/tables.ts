import type {
  ChangeCeilings,
  KeyLimits,
  KeyType,
  NatsAccountLimits,
  NatsAccountRole,
  Payer,
  Role,
  Scope,
  SpaceSettings,
  SpaceStatus,
} from '@switchyard/contracts';
import { column, defineTable } from '@switchyard/database';

const { bigint, bytes, counted, filled, flag, int, json, key, listOf, nullable, tenantKey, text, time, timeMs, uuid } =
  column;
const NOW = 'now()';
/** Of this moment, as it is kept. */
export const MILLISECOND = `date_trunc('milliseconds', clock_timestamp())`;
const ROLES = `role in ('OWNER', 'ADMIN', 'MEMBER', 'VIEWER')`;

/** Accounts are of no Space; those of one person in several Spaces have the same address. */
export const users = defineTable(
  'users',
  {
    id: key(uuid()),
    email: text(),
    name: text(),
    passwordHash: nullable(text()),
    createdAt: filled(timeMs(), NOW),
    homeSpaceId: nullable(uuid()),
    lastSignedInAt: filled(nullable(time())),
    /** An ADMIN has chosen the password, and no person of that address need know of the account. */
    passwordByOthers: filled(flag(), 'true'),
    /** When the person last chose another password; until then, the time of the account's creation. */
    passwordChangedAt: filled(nullable(timeMs())),
    operator: filled(flag(), 'false'),
    disabledAt: filled(nullable(timeMs())),
  },
  { indexes: { users_of_an_address: { columns: ['email'] } }, otherIndexes: ['users_operators'] },
);

export const spaces = defineTable(
  'spaces',
  {
    ...tenantKey,
    name: text(),
    settings: filled(json<SpaceSettings>(), `'{}'`),
    sealedWebhookSecret: bytes(),
    createdAt: filled(timeMs(), NOW),
    updatedAt: filled(timeMs(), NOW),
    status: filled(text<SpaceStatus>(), `'ACTIVE'`),
    suspendedReason: filled(nullable(text())),
    /** Null while it is active, and where a process of the version before has suspended it. */
    suspendedAt: filled(nullable(timeMs())),
    /** Of the last suspension that has ended. */
    lastSuspendedAt: filled(nullable(timeMs())),
    lastResumedAt: filled(nullable(timeMs())),
    /** Those that are set; the others follow the configuration. */
    ceilings: filled(json<ChangeCeilings>(), `'{}'`),
    /** The account, and what it was then; the kind is null until it is found for a Space of before. */
    madeBy: filled(nullable(uuid())),
    madeByKind: filled(nullable(text<'operator' | 'user'>())),
    /** The payer set by an operator; null: see `payerOf`. */
    payerKind: filled(nullable(text<Payer['kind']>())),
    payerId: filled(nullable(uuid())),
    unmetered: filled(flag(), 'false'),
    /** Null for a Space of before: it has what the relay gave it. */
    startingTokens: filled(nullable(bigint())),
  },
  {
    checks: {
      spaces_check: 'id = space_id',
      spaces_status_check: `status in ('ACTIVE', 'SUSPENDED')`,
      spaces_made_by_kind_check: `made_by_kind in ('operator', 'user')`,
      spaces_payer_check: `(payer_kind is null) = (payer_id is null) and payer_kind in ('space', 'user')`,
    },
    indexes: {
      spaces_without_a_maker: { columns: ['createdAt'], where: 'made_by_kind is null' },
      spaces_by_maker: { columns: ['madeBy', 'createdAt'] },
      spaces_suspended: { columns: ['spaceId'], where: `status = 'SUSPENDED'` },
      spaces_resumed: { columns: ['lastResumedAt'], where: 'last_resumed_at is not null' },
      spaces_newest: { columns: ['createdAt', 'id'] },
      spaces_by_payer: { columns: ['payerId'], where: `payer_kind = 'space'` },
    },
  },
);

export const members = defineTable(
  'members',
  {
    ...tenantKey,
    userId: uuid(),
    role: text<Role>(),
    createdAt: filled(timeMs(), NOW),
    invitedEmail: nullable(text()),
  },
  {
    uniques: [['spaceId', 'userId']],
    indexes: {
      members_of_a_user: { columns: ['userId', 'createdAt'] },
      members_newest: { columns: ['spaceId', 'createdAt', 'userId'] },
    },
    checks: { members_role_check: ROLES },
    references: [{ columns: ['userId'], table: 'users', foreign: ['id'] }],
  },
);

export const invitations = defineTable(
  'invitations',
  {
    ...tenantKey,
    email: text(),
    role: text<Role>(),
    digest: nullable(bytes()),
    expiresAt: timeMs(),
    invitedBy: nullable(uuid()),
    createdAt: filled(timeMs(), NOW),
  },
  {
    uniques: [['spaceId', 'email']],
    indexes: {
      invitations_by_digest: { columns: ['digest'] },
      invitations_by_end: { columns: ['expiresAt'] },
    },
    checks: { invitations_role_check: ROLES },
  },
);

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
    legacyScopes: filled(listOf(text<Scope>()), `'{}'`),
    madeByKey: filled(nullable(uuid())),
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
    otherIndexes: ['api_keys_by_end', 'api_keys_of_operators'],
    checks: {
      api_keys_type_check: `type in ('USER', 'SYSTEM', 'OPERATOR')`,
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

/** The id is the one that stands where a user's does. */
export const natsAccounts = defineTable(
  'nats_accounts',
  {
    ...tenantKey,
    accountId: text(),
    name: text(),
    role: text<NatsAccountRole>(),
    scopes: listOf(text<Scope>()),
    limits: filled(json<NatsAccountLimits>(), `'{}'`),
    version: counted(filled(int(), 1)),
    publicKey: text(),
    previousPublicKey: filled(nullable(text())),
    previousUntil: filled(nullable(timeMs())),
    /** The revision with which a server loads the present user. */
    userRevision: bigint(),
    /** The revision with which a server has removed the last user that was ended. */
    removedRevision: filled(nullable(bigint())),
    admittedAt: filled(nullable(timeMs())),
    madeByKey: nullable(uuid()),
    createdBy: nullable(uuid()),
    createdAt: filled(timeMs(), NOW),
    revokedAt: filled(nullable(timeMs())),
    lastUsedAt: filled(nullable(timeMs())),
  },
  {
    indexes: {
      nats_accounts_newest: { columns: ['spaceId', 'createdAt', 'id'] },
      nats_accounts_by_id: { columns: ['id'] },
      nats_accounts_by_account_id: { columns: ['accountId'], unique: true },
      nats_accounts_one_of_a_name: { columns: ['spaceId', 'name'], unique: true, where: 'revoked_at is null' },
      nats_accounts_not_admitted: {
        columns: ['userRevision'],
        where: 'admitted_at is null and revoked_at is null',
      },
      nats_accounts_in_grace: { columns: ['previousUntil'], where: 'previous_until is not null' },
    },
    checks: {
      nats_accounts_role_check: `role in ('ADMIN', 'MEMBER', 'VIEWER')`,
      nats_accounts_check: '(previous_public_key is null) = (previous_until is null)',
    },
  },
);

/** Sign-ins, values of keys and logs are written with every request or two: their SQL is in their files. */
export const tables = [users, spaces, members, invitations, apiKeys, secrets, natsAccounts];
