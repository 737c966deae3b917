import type { Schemas } from '../api/schemas';

export type ApiKey = Schemas['ApiKeyView'];
/** With `key`, shown this once. */
export type ApiKeyWithValue = Schemas['ApiKeyWithValue'];
export type MemberRemoved = Schemas['MemberRemoved'];
export type NatsAccount = Schemas['NatsAccountView'];
/** With the seed, which is shown this once. */
export type NatsAccountWithSeed = Schemas['NatsAccountWithSeed'];
export type NewNatsAccount = Schemas['CreateNatsAccountBody'];
export type NatsAccountChanges = Schemas['UpdateNatsAccountBody'];
/** An account of any Space, as operators see it. */
export type ListedNatsAccount = Schemas['OperatorNatsAccountView'];
export type NatsRevision = Schemas['NatsRevisionView'];
export type NewApiKey = Schemas['CreateApiKey'];
export type ApiKeyChanges = Schemas['UpdateApiKeyBody'];
export type KeyValidity = Schemas['KeyValidity'];
export type KeyUsage = Schemas['KeyUsage'];
export type Space = Schemas['SpaceView'];
export type SpaceChanges = Schemas['UpdateSpaceBody'];
export type Member = Schemas['MemberView'];
export type NewMember = Schemas['AddMemberBody'];
export type Secret = Schemas['SecretView'];
export type SecretWithUsers = Schemas['SecretWithUsers'];
export type NewSecret = Schemas['CreateSecret'];
export type SecretChanges = Schemas['UpdateSecretBody'];
export type Role = Member['role'];
export type SecurityEvent = Schemas['SecurityEventView'];
export type SignedIn = Schemas['SignedIn'];
/** The caller's identity, Space and rights. */
export type Me = Schemas['Me'];
export type UsageRow = Schemas['UsageRow'];
export type Balance = Schemas['BalanceView'];
export type LedgerRow = Schemas['LedgerRow'];
export type NewCredit = Schemas['CreditBody'];
