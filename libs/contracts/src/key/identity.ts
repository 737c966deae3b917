import { OPERATOR_SCOPES, type OperatorScope, ROLES, type Role } from '../access';
import { Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { CountedLimits } from './key-limits';

/** An operator's decisions about the credential's Space, checked at the gateway. */
export class SpaceStanding {
  @Field(f.text(), { nullable: true, description: 'Why the Space is suspended; null while it is not.' })
  suspendedReason!: string | null;
  @Field(f.int({ min: 0 }), { nullable: true, description: 'Its ceiling; null: the default of the configuration.' })
  requestsPerMinute!: number | null;
}

/** A verified credential. The gateway caches it for seconds and signs contexts with it. */
export class VerifiedKey {
  @Field(f.id()) credentialId!: string;
  @Field(f.oneOf(['api_key', 'system_key', 'operator_key', 'nats_account'] as const))
  credentialType!: 'api_key' | 'system_key' | 'operator_key' | 'nats_account';
  @Field(f.id(), { nullable: true, description: 'Null for the key of an operator.' }) spaceId!: string | null;
  @Field(f.id(), { nullable: true }) userId!: string | null;
  @Field(f.oneOf(ROLES), { nullable: true }) role!: Role | null;
  @Field(f.list(f.text({ max: 40 }))) scopes!: string[];
  @Field(f.list(f.oneOf(OPERATOR_SCOPES)), { optional: true }) operatorScopes?: OperatorScope[];
  @Field(f.object(() => CountedLimits), { optional: true }) limits?: CountedLimits;
  @Field(f.id(), { nullable: true }) applicationId!: string | null;
  @Field(f.time(), {
    nullable: true,
    description: 'When this value stops working: its expiry, or the end of its grace.',
  })
  expiresAt!: string | null;
  @Field(f.bool(), { optional: true, description: 'A rotation has replaced this value; its grace still runs.' })
  isReplaced?: boolean;
  @Field(f.int({ min: 1 }), { description: 'Grows with every change of the credential; an older version is void.' })
  version!: number;
  @Field(f.object(() => SpaceStanding), { optional: true }) space?: SpaceStanding;
}

export class VerifyKey {
  @Field(
    f.text({ min: 40, max: 40, pattern: '^[0-9A-Za-z]{40}$', allows: 'must be an API key of 40 letters and digits' }),
    { secret: true },
  )
  key!: string;
}

export class ResolveMember {
  @Field(f.id()) userId!: string;
  @Field(f.id()) spaceId!: string;
  @Field(f.id(), { optional: true, description: 'The sign-in an access token came from: it must still be alive.' })
  signInId?: string;
  @Field(f.id(), { optional: true, description: 'The API key that acts for the person: it must still be active.' })
  keyId?: string;
}

/** In `details` of the refusal of a member whose account is disabled, for services that act for absent people. */
export const ACCOUNT_IS_DISABLED = { path: 'userId', message: 'The account is disabled.' } as const;

/** Whether a member was refused for this reason. */
export const isDisabledAccount = ({ details }: { details?: readonly { message: string }[] | undefined }): boolean =>
  details?.some(({ message }) => message === ACCOUNT_IS_DISABLED.message) === true;

export class MemberIdentity {
  @Field(f.id()) userId!: string;
  @Field(f.id()) spaceId!: string;
  @Field(f.text()) email!: string;
  @Field(f.text()) name!: string;
  @Field(f.oneOf(ROLES)) role!: Role;
  @Field(f.bool(), { optional: true }) operator?: boolean;
  @Field(f.time(), { optional: true, description: 'When the person gave the password, or signed in at the company.' })
  signedInAt?: string;
  @Field(f.object(() => SpaceStanding), { optional: true }) space?: SpaceStanding;
}

export class ResolveSignIn {
  @Field(f.id()) userId!: string;
  @Field(f.id()) signInId!: string;
}

/** A sign-in without a Space. */
export class SignInIdentity {
  @Field(f.id()) userId!: string;
  @Field(f.bool(), { optional: true }) operator?: boolean;
  @Field(f.time(), { optional: true }) signedInAt?: string;
}

/** The person of an external issuer's token, and the Space it opens; operators need none. */
export class ExternalPerson {
  @Field(f.id()) userId!: string;
  @Field(f.id(), { nullable: true }) spaceId!: string | null;
  @Field(f.text()) email!: string;
  @Field(f.text()) name!: string;
  @Field(f.oneOf(ROLES), { nullable: true }) role!: Role | null;
  @Field(f.object(() => SpaceStanding), { optional: true }) space?: SpaceStanding;
}

export class ResolveExternalIdentity {
  @Field(f.text({ min: 1, max: 2048 })) issuer!: string;
  @Field(f.text({ min: 1, max: 255 })) subject!: string;
  @Field(f.text({ max: 320 }), { optional: true }) email?: string;
  @Field(f.bool(), { optional: true }) emailVerified?: boolean;
}

export class AreMembers {
  @Field(f.list(f.id(), { max: 1000 })) userIds!: string[];
}

export class MembersFound {
  @Field(f.list(f.id())) members!: string[];
  @Field(f.list(f.id())) strangers!: string[];
}
