import { ROLES, type Role, SCOPES, type Scope } from '../access';
import { PageRequest } from '../define/common-shapes';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { ChangeKeyLimits, KeyLimits } from './key-limits';

export const NATS_ACCOUNT_STATUSES = ['ACTIVE', 'REVOKED'] as const;
export type NatsAccountStatus = (typeof NATS_ACCOUNT_STATUSES)[number];

/** Roles that an account may have. */
export const NATS_ACCOUNT_ROLES = ['VIEWER', 'MEMBER', 'ADMIN'] as const satisfies readonly Role[];
export type NatsAccountRole = (typeof NATS_ACCOUNT_ROLES)[number];

/** Requests a minute of an account whose limits name no other number. */
export const NATS_ACCOUNT_REQUESTS_PER_MINUTE = 6000;

/** Active accounts of one Space. */
export const NATS_ACCOUNTS_PER_SPACE = 100;

export const NATS_ACCOUNT_ID_PATTERN = '^[A-Za-z0-9]{22}$';

/** The id of an account is a token of NATS subjects. */
export const isNatsAccountId = (value: string): boolean => new RegExp(NATS_ACCOUNT_ID_PATTERN).test(value);

export const NATS_ACCOUNT_ID = f.text({
  min: 22,
  max: 22,
  pattern: NATS_ACCOUNT_ID_PATTERN,
  allows: 'must be the id of an account: 22 letters and digits',
});
const NAME = f.text({
  min: 1,
  max: 63,
  pattern: '^[a-z0-9][a-z0-9-]*$',
  allows: 'must begin with a lower-case letter or a digit, and go on with those and hyphens',
});
/** The key service checks the checksum. */
const PUBLIC_KEY = f.text({
  min: 56,
  max: 56,
  pattern: '^U[A-Z2-7]{55}$',
  allows: 'must be the public key of an nkey of the type user',
});
const SCOPE_LIST = f.list(f.oneOf(SCOPES), { min: 1, max: 50 });
const APPLICATIONS = f.list(f.text({ min: 1, max: 100 }), { max: 100 });
const EMITS_FOR = 'Identifiers of the applications whose events the account emits; without the list, none.';

@Described('Limits of an account, as those of an API key, and the applications that it emits for.')
export class NatsAccountLimits extends KeyLimits {
  @Field(APPLICATIONS, { optional: true, description: EMITS_FOR }) applications?: string[];
}

@Described('Given limits are set, null removes one, others stay.')
export class ChangeNatsAccountLimits extends ChangeKeyLimits {
  @Field(APPLICATIONS, { optional: true, nullable: true, description: EMITS_FOR }) applications?: string[] | null;
}

@Described('Beginnings of the subjects of an account, without the last dot.')
export class NatsAccountSubjects {
  @Field(f.text(), { description: 'Requests of the account to the platform.' }) request!: string;
  @Field(f.text(), { description: 'Events that the platform delivers to the account.' }) deliver!: string;
  @Field(f.text(), { description: 'The inbox prefix that a client has to set.' }) inbox!: string;
}

export const natsSubjectsOf = (accountId: string): NatsAccountSubjects => ({
  request: `switchyard.v1.${accountId}`,
  deliver: `switchyard-out.v1.${accountId}`,
  inbox: `_INBOX.${accountId}`,
});

@Described('An account of a service of the Space on NATS, without its seed.')
export class NatsAccountView {
  @Field(NATS_ACCOUNT_ID, { description: 'Id of the account, a token of its subjects. It is never reused.' })
  id!: string;
  @Field(f.id(), { description: 'Id of the account where records have the id of a user.' }) actorId!: string;
  @Field(f.id()) spaceId!: string;
  @Field(f.text(), { description: 'Name of the account, unique among the active ones of the Space.' }) name!: string;
  @Field(f.oneOf(ROLES), { description: 'Role of the account in the Space.' }) role!: Role;
  @Field(f.list(f.oneOf(SCOPES)), { description: 'Scopes of the account. `*` stands for almost all.' })
  scopes!: Scope[];
  @Field(f.object(() => NatsAccountLimits), { description: 'Only the limits that are set.' })
  limits!: NatsAccountLimits;
  @Field(f.oneOf(NATS_ACCOUNT_STATUSES), { description: 'Whether the account may send requests.' })
  status!: NatsAccountStatus;
  @Field(f.text(), { description: 'Address of the NATS server for services; empty while the NATS API is off.' })
  url!: string;
  @Field(f.text(), { description: 'Public key of the NATS user.' }) publicKey!: string;
  @Field(f.object(() => NatsAccountSubjects), { description: 'Subjects of the account.' })
  subjects!: NatsAccountSubjects;
  @Field(f.time(), { nullable: true, description: 'Time at which a server had loaded the user; null before it.' })
  admittedAt!: string | null;
  @Field(f.time(), { nullable: true, description: 'Time of the last use; null if it was never used.' })
  lastUsedAt!: string | null;
  @Field(f.id(), { nullable: true }) createdBy!: string | null;
  @Field(f.time()) createdAt!: string;
  @Field(f.time(), { nullable: true, description: 'Time of the revocation; null if it is not revoked.' })
  revokedAt!: string | null;
}

@Described('An account with the seed of its NATS user, which is shown once. A repeated request returns it without.')
export class NatsAccountWithSeed extends NatsAccountView {
  @Field(f.text(), {
    secret: true,
    optional: true,
    description: 'The seed: shown once, stored nowhere. None where the caller gave a public key.',
  })
  seed?: string;
}

@Described('A new account.')
export class CreateNatsAccountBody {
  @Field(NAME, { example: 'billing', description: 'Name of the service.' }) name!: string;
  @Field(f.oneOf(NATS_ACCOUNT_ROLES), { optional: true, default: 'MEMBER', description: 'Role in the Space.' })
  role?: NatsAccountRole;
  @Field(SCOPE_LIST, { description: 'Scopes of the account; at most those of the caller.' }) scopes!: Scope[];
  @Field(f.object(() => ChangeNatsAccountLimits), { optional: true, description: 'Limits of the account.' })
  limits?: ChangeNatsAccountLimits;
  @Field(PUBLIC_KEY, {
    optional: true,
    description: 'Public key of a NATS user of your own. Without it the platform makes one, and shows its seed.',
  })
  publicKey?: string;
}

export class CreateNatsAccount extends CreateNatsAccountBody {
  @Field(f.id()) spaceId!: string;
}

export class NatsAccountsQuery extends PageRequest {
  @Field(f.oneOf(NATS_ACCOUNT_STATUSES), { optional: true, description: 'Only accounts with this status.' })
  status?: NatsAccountStatus;
}

export class ListNatsAccounts extends NatsAccountsQuery {
  @Field(f.id()) spaceId!: string;
}

export class OfNatsAccount {
  @Field(f.id()) spaceId!: string;
  @Field(NATS_ACCOUNT_ID) accountId!: string;
}

@Described('Changes of an account. Given fields are replaced, the others stay.')
export class UpdateNatsAccountBody {
  @Field(NAME, { optional: true, description: 'New name.' }) name?: string;
  @Field(f.oneOf(NATS_ACCOUNT_ROLES), { optional: true, description: 'New role; it can only shrink.' })
  role?: NatsAccountRole;
  @Field(SCOPE_LIST, { optional: true, description: 'New scopes; they can only shrink.' }) scopes?: Scope[];
  @Field(f.object(() => ChangeNatsAccountLimits), { optional: true, description: 'Limits to change.' })
  limits?: ChangeNatsAccountLimits;
}

export class UpdateNatsAccount extends UpdateNatsAccountBody {
  @Field(f.id()) spaceId!: string;
  @Field(NATS_ACCOUNT_ID) accountId!: string;
}

@Described('Gives an account a new NATS user.')
export class RotateNatsAccountBody {
  @Field(f.int({ min: 0, max: 86_400 }), {
    optional: true,
    default: 0,
    description: 'Seconds for which the old user stays valid.',
  })
  graceSeconds?: number;
  @Field(PUBLIC_KEY, { optional: true, description: 'Public key of a NATS user of your own.' }) publicKey?: string;
}

export class RotateNatsAccount extends RotateNatsAccountBody {
  @Field(f.id()) spaceId!: string;
  @Field(NATS_ACCOUNT_ID) accountId!: string;
}

@Described('The NATS user before a rotation, until its grace ends.')
export class PreviousNatsUser {
  @Field(f.text(), { description: 'Public key of the NATS user.' }) publicKey!: string;
  @Field(f.time(), { description: 'End of the grace.' }) until!: string;
}

@Described('An account of any Space, for the servers that load its NATS user.')
export class OperatorNatsAccountView {
  @Field(NATS_ACCOUNT_ID, { description: 'Id of the account, a token of its subjects.' }) id!: string;
  @Field(f.id()) spaceId!: string;
  @Field(f.text()) name!: string;
  @Field(f.oneOf(NATS_ACCOUNT_STATUSES), { description: 'Only the user of an active account is loaded.' })
  status!: NatsAccountStatus;
  @Field(f.text(), { description: 'Public key of the NATS user.' }) publicKey!: string;
  @Field(f.object(() => PreviousNatsUser), {
    nullable: true,
    description: 'The user before the last rotation, while its grace runs.',
  })
  previous!: PreviousNatsUser | null;
}

@Described('A page of accounts, and the revision that they had when it was read.')
export class OperatorNatsAccounts {
  @Field(f.list(f.object(() => OperatorNatsAccountView))) items!: OperatorNatsAccountView[];
  @Field(f.text(), { nullable: true }) nextCursor!: string | null;
  @Field(f.int({ min: 0 })) revision!: number;
}

@Described('Fields beside the accounts.')
export class NatsRevisionSibling {
  @Field(f.int({ min: 0 }), { description: 'Rises with each change that a server has to load.' }) revision!: number;
}

@Described('The revision that a server has loaded.')
export class NatsRevisionLoaded {
  @Field(f.int({ min: 0 }), { description: 'The revision of the list that was loaded.' }) revision!: number;
}

@Described('The newest revision, and the highest that a server has reported as loaded.')
export class NatsRevisionView {
  @Field(f.int({ min: 0 }), { description: 'Rises with each change that a server has to load.' }) revision!: number;
  @Field(f.int({ min: 0 }), { description: 'The highest revision that was reported as loaded.' })
  loadedRevision!: number;
}

export class VerifyNatsAccount {
  @Field(NATS_ACCOUNT_ID) accountId!: string;
}

/** An account whose user a server may still have, so that its requests need an answer. */
export class LoadableNatsAccount {
  @Field(NATS_ACCOUNT_ID) accountId!: string;
  @Field(f.id()) spaceId!: string;
}

export class NatsAccountChanged {
  @Field(NATS_ACCOUNT_ID) accountId!: string;
  @Field(f.id()) spaceId!: string;
  @Field(f.bool(), { description: 'Whether a server may still have a user of the account.' }) isLoadable!: boolean;
}

@Described('An active account whose seed the removed person was shown.')
export class ExposedNatsAccount {
  @Field(NATS_ACCOUNT_ID, { description: 'Id of the account.' }) id!: string;
  @Field(f.text()) name!: string;
}

export const MAX_NATS_RECEIVERS = 500;

export class NatsReceiversQuery {
  @Field(f.list(NATS_ACCOUNT_ID, { min: 1, max: MAX_NATS_RECEIVERS })) accountIds!: string[];
}

/** WAITING: a server may still have a user that a rotation has replaced, so nothing is sent to the account. */
export const NATS_RECEIVER_STATES = ['OPEN', 'WAITING', 'REVOKED'] as const;
export type NatsReceiverState = (typeof NATS_RECEIVER_STATES)[number];

/** Whether events may be sent to an account. */
export class NatsReceiver {
  @Field(NATS_ACCOUNT_ID) accountId!: string;
  @Field(f.id()) spaceId!: string;
  @Field(f.oneOf(NATS_RECEIVER_STATES)) state!: NatsReceiverState;
}

/** Unknown accounts are missing. */
export class NatsReceivers {
  @Field(f.list(f.object(() => NatsReceiver))) receivers!: NatsReceiver[];
}

/** The account was revoked, or has another user: its state is to be read again. */
export class NatsReceiverChanged {
  @Field(NATS_ACCOUNT_ID) accountId!: string;
  @Field(f.id()) spaceId!: string;
}
