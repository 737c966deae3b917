import { OPERATOR_SCOPES, type OperatorScope, ROLES, type Role } from '../access';
import { PageRequest } from '../define/shapes';
import { Field } from '../fields/field';
import { f } from '../fields/spec';
import { KEY_STATUSES, KEY_TYPES, type KeyStatus, type KeyType, RotateApiKeyBody } from './api-keys';

const NAME = f.text({ min: 1, max: 200, pattern: '\\S', allows: 'must not be blank' });
const OPERATOR_SCOPE_LIST = f.list(f.oneOf(OPERATOR_SCOPES), { min: 1, max: 10 });

export const ACCOUNT_STATUSES = ['ACTIVE', 'DISABLED'] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

export class SpaceOfAccount {
  @Field(f.id()) id!: string;
  @Field(f.text()) name!: string;
  @Field(f.oneOf(ROLES)) role!: Role;
}

/** An account, for operators. */
export class AccountView {
  @Field(f.id()) id!: string;
  @Field(f.text()) email!: string;
  @Field(f.text()) name!: string;
  @Field(f.bool()) operator!: boolean;
  @Field(f.oneOf(ACCOUNT_STATUSES)) status!: AccountStatus;
  @Field(f.list(f.object(() => SpaceOfAccount)), {
    description: 'The Spaces that the account belongs to; in a list the oldest hundred.',
  })
  spaces!: SpaceOfAccount[];
  @Field(f.time()) createdAt!: string;
  @Field(f.time(), { nullable: true }) lastSignInAt!: string | null;
}

export class ListAccounts extends PageRequest {
  @Field(f.text({ min: 1, max: 200 }), {
    optional: true,
    description: 'A part of the address or the name in any case, or the id. There are no wildcards.',
  })
  q?: string;
}

export class SpaceName {
  @Field(f.id()) id!: string;
  @Field(f.text()) name!: string;
}

export class DisabledAccountView extends AccountView {
  @Field(f.list(f.object(() => SpaceName)), { description: 'The Spaces that have no other OWNER who can sign in.' })
  lastOwnerOf!: SpaceName[];
}

/** A one-time token to choose a new password. */
export class PasswordResetView {
  @Field(f.text({ min: 43, max: 43 }), {
    secret: true,
    description: 'Shown once; give it to the owner of the account.',
  })
  token!: string;
  @Field(f.time(), { description: 'The token works until then.' }) expiresAt!: string;
}

export class OfAccount {
  @Field(f.id()) userId!: string;
}

/** An operator's key. It opens the routes under `/operator`, and no Space. */
export class OperatorKeyView {
  @Field(f.id()) id!: string;
  @Field(f.text()) name!: string;
  @Field(f.text(), { nullable: true }) description!: string | null;
  @Field(f.oneOf(KEY_TYPES)) type!: KeyType;
  @Field(f.id(), { nullable: true }) applicationId!: string | null;
  @Field(f.text({ max: 4 })) last4!: string;
  @Field(f.list(f.oneOf(OPERATOR_SCOPES))) scopes!: OperatorScope[];
  @Field(f.oneOf(KEY_STATUSES)) status!: KeyStatus;
  @Field(f.time(), { nullable: true }) expiresAt!: string | null;
  @Field(f.time(), { nullable: true }) lastUsedAt!: string | null;
  @Field(f.id(), { nullable: true, description: 'The operator who made it; null: the platform itself.' })
  createdBy!: string | null;
  @Field(f.time()) createdAt!: string;
  @Field(f.time(), { nullable: true }) revokedAt!: string | null;
}

export class OperatorKeyWithValue extends OperatorKeyView {
  @Field(f.text(), { secret: true, optional: true, description: 'The value: shown once, stored nowhere.' })
  key?: string;
}

export class CreateOperatorKey {
  @Field(NAME, { example: 'monitoring' }) name!: string;
  @Field(OPERATOR_SCOPE_LIST, { optional: true, default: ['operator:read'] }) scopes?: OperatorScope[];
  @Field(f.time(), { optional: true, nullable: true }) expiresAt?: string | null;
}

export class ListOperatorKeys extends PageRequest {
  @Field(f.oneOf(KEY_STATUSES), { optional: true }) status?: KeyStatus;
}

export class OfOperatorKey {
  @Field(f.id()) keyId!: string;
}

export class RotateOperatorKey extends RotateApiKeyBody {
  @Field(f.id()) keyId!: string;
}
