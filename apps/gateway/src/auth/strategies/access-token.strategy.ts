import { PassportStrategy } from '@nestjs/passport';
import { type JWTPayload, errors } from 'jose';
import { Strategy } from 'passport-jwt';
import { type PresentedCredential, refused, strategies } from './authenticate';
import { readHeader, requireClaims, requireType } from './token-header';

export const ACCESS_TOKEN = 'access-token';
const ACCESS_TOKEN_TYPE = 'at+jwt';
const ACCESS_TOKEN_CLAIMS = ['sub', 'exp', 'iat', 'jti'];
const ACCESS_TOKEN_SKEW_SECONDS = 5;

export interface PublicKey {
  alg: string;
  pem: string;
}

/** Verifies our own access tokens. */
export interface OwnKeys {
  issuer: string;
  audience: string;
  byKid: ReadonlyMap<string, PublicKey>;
}

/**
 * Our own access tokens. Made anew with every set of keys: passport-jwt takes issuer and audience once, and the key
 * service says them together with its keys.
 */
export class AccessTokenStrategy extends PassportStrategy(Strategy, ACCESS_TOKEN) {
  constructor(keys: OwnKeys) {
    super({
      jwtFromRequest: (presented: unknown) => (presented as PresentedCredential).credential,
      secretOrKeyProvider: (_presented, token: string, done) => {
        try {
          done(null, pinnedKey(keys, token));
        } catch (error) {
          done(error);
        }
      },
      algorithms: ['ES256', 'RS256'],
      issuer: keys.issuer,
      audience: keys.audience,
      // oxlint-disable-next-line typescript/no-deprecated -- there is no other way to say it
      jsonWebTokenOptions: { clockTolerance: ACCESS_TOKEN_SKEW_SECONDS },
    });
  }

  protected getPassportInstance(): typeof strategies {
    return strategies;
  }

  validate(claims: JWTPayload): JWTPayload {
    try {
      return requireClaims(claims, ACCESS_TOKEN_CLAIMS);
    } catch (error) {
      throw refused(error);
    }
  }
}

/**
 * The key that `kid` names, for the one algorithm it was made for. Keys that a token brings along are not looked at.
 */
function pinnedKey(keys: OwnKeys, token: string): string {
  const header = readHeader(token);
  requireType(header, ACCESS_TOKEN_TYPE);
  const key = keys.byKid.get(header.kid ?? '');
  if (!key) throw new errors.JWKSNoMatchingKey();
  if (header.alg !== key.alg) throw new errors.JOSEAlgNotAllowed('not the algorithm of this key');
  return key.pem;
}
