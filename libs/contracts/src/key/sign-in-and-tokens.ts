import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { UserView } from './users';
import { SpaceView } from './spaces';

@Described('Signs in with e-mail address and password.')
export class LoginBody {
  @Field(f.text({ min: 1, max: 320 }), { example: 'ada@example.com', description: 'E-mail address of the account.' })
  email!: string;
  @Field(f.text({ min: 1, max: 1024 }), { secret: true, description: 'Password of the account.' }) password!: string;
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

@Described('A refresh token.')
export class RefreshTokenBody {
  @Field(f.text({ min: 1, max: 8192 }), { secret: true, description: 'The refresh token.' }) refreshToken!: string;
}

export class RefreshSession extends RefreshTokenBody {
  @Field(f.bool(), {
    optional: true,
    description: 'Whether a repeat within a minute gets the same tokens instead of ending the sign-in.',
  })
  isRepeatable?: boolean;
}

@Described('The Space to switch to.')
export class SwitchSpace {
  @Field(f.id(), { description: 'Id of the Space to switch to.' }) spaceId!: string;
}

@Described('Changes the password of the caller.')
export class ChangePassword {
  @Field(f.text({ min: 1, max: 1024 }), { secret: true, description: 'The current password.' })
  currentPassword!: string;
  @Field(f.text({ min: 12, max: 1024 }), { secret: true, description: 'The new password, at least 12 characters.' })
  newPassword!: string;
}

@Described('A new password, with the token of a reset.')
export class ResetPasswordBody {
  @Field(f.text({ min: 1, max: 200 }), {
    secret: true,
    description: 'The token that an operator has made for the account.',
  })
  token!: string;
  @Field(f.text({ min: 12, max: 1024 }), { secret: true, description: 'The new password, at least 12 characters.' })
  password!: string;
}

export class ResetPassword extends ResetPasswordBody {
  @Field(f.text({ max: 100 }), { description: 'The IPv4 address of the client, or the /64 of its IPv6 address.' })
  client!: string;
}

@Described('Tokens, with the user and the Space.')
export class SignedIn {
  @Field(f.text(), { secret: true, description: 'Access token for `Authorization: Bearer`.' }) accessToken!: string;
  @Field(f.text(), { secret: true, description: 'Token for new tokens, valid once.' }) refreshToken!: string;
  @Field(f.oneOf(['Bearer'] as const), { description: 'Always `Bearer`.' }) tokenType!: 'Bearer';
  @Field(f.int({ min: 1 }), { description: 'Seconds until the access token ends.' }) expiresIn!: number;
  @Field(f.object(() => UserView), { description: 'The user.' }) user!: UserView;
  @Field(f.object(() => SpaceView), { nullable: true, description: 'Null: an operator who belongs to no Space.' })
  space!: SpaceView | null;
}

@Described('One public key of the JWKS (RFC 7517).')
export class PublicJwk {
  @Field(f.text(), { description: 'Type of the key.' }) kty!: string;
  @Field(f.text(), { description: 'Id of the key.' }) kid!: string;
  @Field(f.text(), { description: 'Algorithm.' }) alg!: string;
  @Field(f.text(), { description: 'Use of the key: `sig`.' }) use!: string;
  @Field(f.text(), { optional: true, description: 'Curve of an elliptic-curve key.' }) crv?: string;
  @Field(f.text(), { optional: true, description: 'X coordinate of an elliptic-curve key.' }) x?: string;
  @Field(f.text(), { optional: true, description: 'Y coordinate of an elliptic-curve key.' }) y?: string;
  @Field(f.text(), { optional: true, description: 'Modulus of an RSA key.' }) n?: string;
  @Field(f.text(), { optional: true, description: 'Exponent of an RSA key.' }) e?: string;
}

/** Verification keys and issuer of access tokens. */
export class VerificationKeys {
  @Field(f.text()) issuer!: string;
  @Field(f.text()) audience!: string;
  @Field(f.list(f.object(() => PublicJwk))) keys!: PublicJwk[];
}
