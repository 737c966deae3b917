import { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { AppError } from '@switchyard/kernel';
import { type CryptoKey, type JWTPayload, errors } from 'jose';
import { Strategy } from 'passport-jwt';
import { GatewayConfig } from '../../gateway.config';
import { ExternalIssuerKeys, unreachable } from '../external-issuer-keys';
import { type PresentedCredential, refused, strategies } from './authenticate';
import { readHeader, requireClaims, requireType } from './token-header';

export const EXTERNAL_TOKEN = 'external-token';
export const EXTERNAL_TOKEN_CLAIMS = ['sub', 'exp'];
export const EXTERNAL_TOKEN_SKEW_SECONDS = 30;

/** Access tokens of the external issuer. Asymmetric algorithms only: a shared secret cannot tell who signed. */
@Injectable()
export class ExternalTokenStrategy extends PassportStrategy(Strategy, EXTERNAL_TOKEN) {
  constructor(keys: ExternalIssuerKeys, config: GatewayConfig) {
    super({
      jwtFromRequest: (presented: unknown) => (presented as PresentedCredential).credential,
      secretOrKeyProvider: (_presented, token: string, done) => {
        issuerKey(keys, config.OIDC_TOKEN_TYP, token)
          .then((pem) => {
            done(null, pem);
          })
          .catch(done);
      },
      algorithms: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'],
      issuer: config.OIDC_ISSUER,
      audience: config.OIDC_AUDIENCE,
      // oxlint-disable-next-line typescript/no-deprecated -- there is no other way to say it
      jsonWebTokenOptions: { clockTolerance: EXTERNAL_TOKEN_SKEW_SECONDS },
    });
  }

  protected getPassportInstance(): typeof strategies {
    return strategies;
  }

  validate(claims: JWTPayload): JWTPayload {
    try {
      return requireClaims(claims, EXTERNAL_TOKEN_CLAIMS);
    } catch (error) {
      throw refused(error);
    }
  }
}

/** The issuer's key that fits `kid` and `alg`. */
async function issuerKey(keys: ExternalIssuerKeys, typ: string, token: string): Promise<string> {
  const getKey = await keys.get();
  try {
    const header = readHeader(token);
    requireType(header, typ);
    const key = await getKey({ ...header, alg: header.alg ?? '' }, { payload: '', signature: '' });
    return KeyObject.from(key as CryptoKey)
      .export({ type: 'spki', format: 'pem' })
      .toString();
  } catch (error) {
    throw isUnreachable(error) ? unreachable(error) : error;
  }
}

/** Not to have reached the issuer says nothing about the token. */
export const isUnreachable = (error: unknown): boolean =>
  !(error instanceof AppError) && (!(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout);
