import { SCOPES, type Scope } from '../access';
import { PageRequest } from '../define/shapes';
import { Field } from '../fields/field';
import { f } from '../fields/spec';
import { ChangeKeyLimits, KeyLimits } from './key-limits';

export const KEY_TYPES = ['USER', 'SYSTEM', 'OPERATOR'] as const;
export type KeyType = (typeof KEY_TYPES)[number];
export const KEY_STATUSES = ['ACTIVE', 'REVOKED', 'EXPIRED'] as const;
export type KeyStatus = (typeof KEY_STATUSES)[number];

const NAME = f.text({ min: 1, max: 200, pattern: '\\S', allows: 'must not be blank' });
const SCOPE_LIST = f.list(f.oneOf(SCOPES), { min: 1, max: 50 });

export class ApiKeyView {
  @Field(f.id()) id!: string;
  @Field(f.text()) name!: string;
  @Field(f.text(), { nullable: true }) description!: string | null;
  @Field(f.oneOf(KEY_TYPES)) type!: KeyType;
  @Field(f.id(), { nullable: true }) applicationId!: string | null;
  @Field(f.text({ max: 4 })) last4!: string;
  @Field(f.list(f.oneOf(SCOPES))) scopes!: Scope[];
  @Field(f.list(f.oneOf(SCOPES)), {
    optional: true,
    description:
      'Scopes that the key kept from a version that did not ask for them by name. PUT with `scopes` names or removes them.',
  })
  legacyScopes?: Scope[];
  @Field(f.object(() => KeyLimits), { description: 'Only the limits that are set.' }) limits!: KeyLimits;
  @Field(f.oneOf(KEY_STATUSES)) status!: KeyStatus;
  @Field(f.time(), { nullable: true }) expiresAt!: string | null;
  @Field(f.time(), { nullable: true }) lastUsedAt!: string | null;
  @Field(f.id(), { nullable: true }) createdBy!: string | null;
  @Field(f.time()) createdAt!: string;
  @Field(f.time(), { nullable: true }) revokedAt!: string | null;
}

/** Includes the value, which is shown once. A retry gets the record without it. */
export class ApiKeyWithValue extends ApiKeyView {
  @Field(f.text(), { secret: true, optional: true, description: 'The value: shown once, stored nowhere.' })
  key?: string;
}

export class CreateApiKey {
  @Field(NAME) name!: string;
  @Field(f.text({ max: 2000 }), { optional: true, nullable: true }) description?: string | null;
  @Field(SCOPE_LIST, { optional: true, default: ['*'] }) scopes?: Scope[];
  @Field(f.time(), { optional: true, nullable: true }) expiresAt?: string | null;
  @Field(f.object(() => ChangeKeyLimits), { optional: true }) limits?: ChangeKeyLimits;
}

export class ListApiKeys extends PageRequest {
  @Field(f.oneOf(KEY_STATUSES), { optional: true }) status?: KeyStatus;
}

export class UpdateApiKeyBody {
  @Field(NAME, { optional: true }) name?: string;
  @Field(f.text({ max: 2000 }), { optional: true, nullable: true }) description?: string | null;
  @Field(f.time(), { optional: true, nullable: true }) expiresAt?: string | null;
  @Field(SCOPE_LIST, {
    optional: true,
    description: 'Can only shrink, but for approvals:answer, which a person of at least the role of the key may add.',
  })
  scopes?: Scope[];
  @Field(f.object(() => ChangeKeyLimits), { optional: true }) limits?: ChangeKeyLimits;
}

export class UpdateApiKey extends UpdateApiKeyBody {
  @Field(f.id()) id!: string;
}

export class RotateApiKeyBody {
  @Field(f.int({ min: 0, max: 86_400 }), { optional: true, description: 'How long the old value goes on (default 0).' })
  graceSeconds?: number;
}

export class RotateApiKey extends RotateApiKeyBody {
  @Field(f.id()) id!: string;
}

/** Any text: a malformed key is answered like an unknown one. */
export class ValidateApiKeyBody {
  @Field(f.text({ max: 16 * 1024 * 1024 }), { secret: true, description: 'A text of any kind.' }) key!: string;
}

export class ValidateApiKey {
  @Field(f.text({ max: 40 }), { secret: true }) key!: string;
}

/** `valid: false` comes without a reason. */
export class KeyValidity {
  @Field(f.bool()) valid!: boolean;
  @Field(f.id(), { optional: true }) keyId?: string;
  @Field(f.oneOf(KEY_TYPES), { optional: true }) type?: KeyType;
  @Field(f.list(f.oneOf(SCOPES)), { optional: true }) scopes?: Scope[];
  @Field(f.time(), { optional: true, nullable: true }) expiresAt?: string | null;
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
