import { Field } from '../fields/field';
import { f } from '../fields/spec';
import { UserView } from './users';
import { SpaceView } from './spaces';

export class LoginBody {
  @Field(f.text({ min: 1, max: 320 }), { example: 'ada@example.com' }) email!: string;
  @Field(f.text({ min: 1, max: 1024 }), { secret: true }) password!: string;
  @Field(f.id(), {
    optional: true,
    description: 'The Space to open. Without it: the oldest membership of the account that the password opens.',
  })
  spaceId?: string;
}

export class Login extends LoginBody {
  @Field(f.text({ max: 100 }), { description: 'The IPv4 address of the client, or the /64 of its IPv6 address.' })
  client!: string;
}

export class RefreshTokenBody {
  @Field(f.text({ min: 1, max: 8192 }), { secret: true }) refreshToken!: string;
}

export class RefreshSession extends RefreshTokenBody {
  @Field(f.bool(), {
    optional: true,
    description: 'Whether a repeat within a minute gets the same tokens instead of ending the sign-in.',
  })
  isRepeatable?: boolean;
}

export class SwitchSpace {
  @Field(f.id()) spaceId!: string;
}

export class ChangePassword {
  @Field(f.text({ min: 1, max: 1024 }), { secret: true }) currentPassword!: string;
  @Field(f.text({ min: 12, max: 1024 }), { secret: true }) newPassword!: string;
}

export class ResetPasswordBody {
  @Field(f.text({ min: 1, max: 200 }), {
    secret: true,
    description: 'The token that an operator has made for the account.',
  })
  token!: string;
  @Field(f.text({ min: 12, max: 1024 }), { secret: true }) password!: string;
}

export class ResetPassword extends ResetPasswordBody {
  @Field(f.text({ max: 100 }), { description: 'The IPv4 address of the client, or the /64 of its IPv6 address.' })
  client!: string;
}

/** A new pair of tokens, with the person and the Space. */
export class SignedIn {
  @Field(f.text(), { secret: true }) accessToken!: string;
  @Field(f.text(), { secret: true }) refreshToken!: string;
  @Field(f.oneOf(['Bearer'] as const)) tokenType!: 'Bearer';
  @Field(f.int({ min: 1 }), { description: 'Seconds until the access token ends.' }) expiresIn!: number;
  @Field(f.object(() => UserView)) user!: UserView;
  @Field(f.object(() => SpaceView), { nullable: true, description: 'Null: an operator who belongs to no Space.' })
  space!: SpaceView | null;
}

/** One public key of the JWKS (RFC 7517). */
export class PublicJwk {
  @Field(f.text()) kty!: string;
  @Field(f.text()) kid!: string;
  @Field(f.text()) alg!: string;
  @Field(f.text()) use!: string;
  @Field(f.text(), { optional: true }) crv?: string;
  @Field(f.text(), { optional: true }) x?: string;
  @Field(f.text(), { optional: true }) y?: string;
  @Field(f.text(), { optional: true }) n?: string;
  @Field(f.text(), { optional: true }) e?: string;
}

/** Verification keys and issuer of access tokens. */
export class VerificationKeys {
  @Field(f.text()) issuer!: string;
  @Field(f.text()) audience!: string;
  @Field(f.list(f.object(() => PublicJwk))) keys!: PublicJwk[];
}
