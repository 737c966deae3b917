import { OPERATOR_SCOPES, type OperatorScope, ROLES, type Role } from '../access';
import { PageRequest } from '../define/common-shapes';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { KEY_STATUSES, KEY_TYPES, type KeyStatus, type KeyType, RotateApiKeyBody } from './api-keys';

const NAME = f.text({ min: 1, max: 200, pattern: '\\S', allows: 'must not be blank' });
const OPERATOR_SCOPE_LIST = f.list(f.oneOf(OPERATOR_SCOPES), { min: 1, max: 10 });

export const ACCOUNT_STATUSES = ['ACTIVE', 'DISABLED'] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

@Described('A Space and the role of the account in it.')
export class SpaceOfAccount {
  @Field(f.id()) id!: string;
  @Field(f.text()) name!: string;
  @Field(f.oneOf(ROLES), { description: 'Role of the account in the Space.' }) role!: Role;
}

@Described('An account, for operators.')
export class AccountView {
  @Field(f.id()) id!: string;
  @Field(f.text(), { description: 'E-mail address of the account.' }) email!: string;
  @Field(f.text()) name!: string;
  @Field(f.bool(), { description: 'Whether the account is an operator of the platform.' }) operator!: boolean;
  @Field(f.oneOf(ACCOUNT_STATUSES), { description: 'Whether the account may sign in.' }) status!: AccountStatus;
  @Field(f.list(f.object(() => SpaceOfAccount)), {
    description: 'The Spaces that the account belongs to; in a list the oldest hundred.',
  })
  spaces!: SpaceOfAccount[];
  @Field(f.time()) createdAt!: string;
  @Field(f.time(), { nullable: true, description: 'Time of the last sign-in; null if there was none.' }) lastSignInAt!:
    | string
    | null;
}

export class ListAccounts extends PageRequest {
  @Field(f.text({ min: 1, max: 200 }), {
    optional: true,
    description: 'A part of the address or the name in any case, or the id. There are no wildcards.',
  })
  q?: string;
}

@Described('Id and name of a Space.')
export class SpaceName {
  @Field(f.id()) id!: string;
  @Field(f.text()) name!: string;
}

@Described('A disabled account, with the Spaces that lose their owner.')
export class DisabledAccountView extends AccountView {
  @Field(f.list(f.object(() => SpaceName)), { description: 'The Spaces that have no other OWNER who can sign in.' })
  lastOwnerOf!: SpaceName[];
}

@Described('A one-time token to choose a new password.')
export class PasswordResetView {
  @Field(f.text({ min: 43, max: 43 }), {
    secret: true,
    optional: true,
    description: 'Shown once; give it to the owner of the account. Absent when the answer is an idempotent replay.',
  })
  token?: string;
  @Field(f.time(), { description: 'The token works until then.' }) expiresAt!: string;
}

export class OfAccount {
  @Field(f.id()) userId!: string;
}

@Described("An operator's key. It opens the routes under `/operator`, and no Space.")
export class OperatorKeyView {
  @Field(f.id()) id!: string;
  @Field(f.text()) name!: string;
  @Field(f.text(), { nullable: true }) description!: string | null;
  @Field(f.oneOf(KEY_TYPES), { description: 'Always `OPERATOR`.' }) type!: KeyType;
  @Field(f.id(), { nullable: true, description: 'Always null.' }) applicationId!: string | null;
  @Field(f.text({ max: 4 }), { description: 'Last four characters of the value.' }) last4!: string;
  @Field(f.list(f.oneOf(OPERATOR_SCOPES)), { description: 'Scopes of the key.' }) scopes!: OperatorScope[];
  @Field(f.oneOf(KEY_STATUSES), { description: 'Whether the key works.' }) status!: KeyStatus;
  @Field(f.time(), { nullable: true, description: 'Time at which the key expires; null if it does not.' }) expiresAt!:
    | string
    | null;
  @Field(f.time(), { nullable: true, description: 'Time of the last use; null if it was never used.' }) lastUsedAt!:
    | string
    | null;
  @Field(f.id(), { nullable: true, description: 'The operator who made it; null: the platform itself.' })
  createdBy!: string | null;
  @Field(f.time()) createdAt!: string;
  @Field(f.time(), { nullable: true, description: 'Time of the revocation; null if it is not revoked.' }) revokedAt!:
    | string
    | null;
}

@Described('An operator key with its value, which is shown once.')
export class OperatorKeyWithValue extends OperatorKeyView {
  @Field(f.text(), { secret: true, optional: true, description: 'The value: shown once, stored nowhere.' })
  key?: string;
}

@Described('A new operator key.')
export class CreateOperatorKey {
  @Field(NAME, { example: 'monitoring', description: 'Name of the key.' }) name!: string;
  @Field(OPERATOR_SCOPE_LIST, { optional: true, default: ['operator:read'], description: 'Scopes of the key.' })
  scopes?: OperatorScope[];
  @Field(f.time(), { optional: true, nullable: true, description: 'Time at which the key expires; null for never.' })
  expiresAt?: string | null;
}

export class ListOperatorKeys extends PageRequest {
  @Field(f.oneOf(KEY_STATUSES), { optional: true, description: 'Only keys with this status.' }) status?: KeyStatus;
}

export class OfOperatorKey {
  @Field(f.id()) keyId!: string;
}

export class RotateOperatorKey extends RotateApiKeyBody {
  @Field(f.id()) keyId!: string;
}
