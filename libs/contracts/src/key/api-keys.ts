import { SCOPES, type Scope } from '../access';
import { PageRequest } from '../define/common-shapes';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { ChangeKeyLimits, KeyLimits } from './key-limits';

export const KEY_TYPES = ['USER', 'SYSTEM', 'OPERATOR'] as const;
export type KeyType = (typeof KEY_TYPES)[number];
export const KEY_STATUSES = ['ACTIVE', 'REVOKED', 'EXPIRED'] as const;
export type KeyStatus = (typeof KEY_STATUSES)[number];

const NAME = f.text({ min: 1, max: 200, pattern: '\\S', allows: 'must not be blank' });
const SCOPE_LIST = f.list(f.oneOf(SCOPES), { min: 1, max: 50 });

@Described('An API key, without its value.')
export class ApiKeyView {
  @Field(f.id()) id!: string;
  @Field(f.text()) name!: string;
  @Field(f.text(), { nullable: true }) description!: string | null;
  @Field(f.oneOf(KEY_TYPES), {
    description: '`USER` for programs, `SYSTEM` for an application, `OPERATOR` for the routes of operators.',
  })
  type!: KeyType;
  @Field(f.id(), { nullable: true }) applicationId!: string | null;
  @Field(f.text({ max: 4 }), { description: 'Last four characters of the value.' }) last4!: string;
  @Field(f.list(f.oneOf(SCOPES)), { description: 'Scopes of the key. `*` stands for almost all.' }) scopes!: Scope[];
  @Field(f.list(f.oneOf(SCOPES)), {
    optional: true,
    description:
      'Scopes that the key kept from a version that did not ask for them by name. PUT with `scopes` names or removes them.',
  })
  legacyScopes?: Scope[];
  @Field(f.object(() => KeyLimits), { description: 'Only the limits that are set.' }) limits!: KeyLimits;
  @Field(f.oneOf(KEY_STATUSES), { description: 'Whether the key works.' }) status!: KeyStatus;
  @Field(f.time(), { nullable: true, description: 'Time at which the key expires; null if it does not.' }) expiresAt!:
    | string
    | null;
  @Field(f.time(), { nullable: true, description: 'Time of the last use, to the minute; null if it was never used.' })
  lastUsedAt!: string | null;
  @Field(f.id(), { nullable: true }) createdBy!: string | null;
  @Field(f.time()) createdAt!: string;
  @Field(f.time(), { nullable: true, description: 'Time of the revocation; null if it is not revoked.' }) revokedAt!:
    | string
    | null;
}

@Described('An API key with its value, which is shown once. A repeated request returns it without the value.')
export class ApiKeyWithValue extends ApiKeyView {
  @Field(f.text(), { secret: true, optional: true, description: 'The value: shown once, stored nowhere.' })
  key?: string;
}

@Described('A new API key.')
export class CreateApiKey {
  @Field(NAME, { description: 'Name of the key.' }) name!: string;
  @Field(f.text({ max: 2000 }), { optional: true, nullable: true }) description?: string | null;
  @Field(SCOPE_LIST, { optional: true, default: ['*'], description: 'Scopes of the key. `*` stands for almost all.' })
  scopes?: Scope[];
  @Field(f.time(), { optional: true, nullable: true, description: 'Time at which the key expires; null for never.' })
  expiresAt?: string | null;
  @Field(f.object(() => ChangeKeyLimits), { optional: true, description: 'Limits of the key.' })
  limits?: ChangeKeyLimits;
}

export class ListApiKeys extends PageRequest {
  @Field(f.oneOf(KEY_STATUSES), { optional: true, description: 'Only keys with this status.' }) status?: KeyStatus;
}

@Described('Changes of an API key. Given fields are replaced, the others stay.')
export class UpdateApiKeyBody {
  @Field(NAME, { optional: true, description: 'New name.' }) name?: string;
  @Field(f.text({ max: 2000 }), { optional: true, nullable: true, description: 'New description; null removes it.' })
  description?: string | null;
  @Field(f.time(), { optional: true, nullable: true, description: 'Time at which the key expires; null for never.' })
  expiresAt?: string | null;
  @Field(SCOPE_LIST, {
    optional: true,
    description: 'Can only shrink, but for approvals:answer, which a person of at least the role of the key may add.',
  })
  scopes?: Scope[];
  @Field(f.object(() => ChangeKeyLimits), { optional: true, description: 'Limits to change.' })
  limits?: ChangeKeyLimits;
}

export class UpdateApiKey extends UpdateApiKeyBody {
  @Field(f.id()) id!: string;
}

@Described('Rotates the value of a key.')
export class RotateApiKeyBody {
  @Field(f.int({ min: 0, max: 86_400 }), {
    optional: true,
    description: 'Seconds for which the old value stays valid (default 0).',
  })
  graceSeconds?: number;
}

export class RotateApiKey extends RotateApiKeyBody {
  @Field(f.id()) id!: string;
}

@Described('A key to check. A malformed key is answered like an unknown one.')
export class ValidateApiKeyBody {
  @Field(f.text({ max: 16 * 1024 * 1024 }), { secret: true, description: 'A text of any kind.' }) key!: string;
}

export class ValidateApiKey {
  @Field(f.text({ max: 40 }), { secret: true }) key!: string;
}

@Described('Whether a key works. `valid: false` comes without a reason.')
export class KeyValidity {
  @Field(f.bool(), { description: 'Whether the key works in this Space.' }) valid!: boolean;
  @Field(f.id(), { optional: true }) keyId?: string;
  @Field(f.oneOf(KEY_TYPES), { optional: true, description: 'Type of the key.' }) type?: KeyType;
  @Field(f.list(f.oneOf(SCOPES)), { optional: true, description: 'Scopes of the key.' }) scopes?: Scope[];
  @Field(f.time(), {
    optional: true,
    nullable: true,
    description: 'Time at which the key expires; null if it does not.',
  })
  expiresAt?: string | null;
}

export class IssueSystemKey {
  @Field(f.id()) applicationId!: string;
  @Field(NAME, { description: "The application's name." }) name!: string;
}

export class OfApplication {
  @Field(f.id()) applicationId!: string;
}

export class RotateSystemKey {
  @Field(f.id()) applicationId!: string;
  @Field(f.int({ min: 0, max: 86_400 }), { optional: true }) graceSeconds?: number;
}

export class SystemKey {
  @Field(f.id()) keyId!: string;
  @Field(f.text()) last4!: string;
  @Field(f.text(), { secret: true }) key!: string;
}
