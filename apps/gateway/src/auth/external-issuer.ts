import { Injectable } from '@nestjs/common';
import { AppError } from '@switchyard/kernel';
import { type JWTPayload, errors } from 'jose';
import { GatewayConfig } from '../gateway.config';
import { ExternalIssuerKeys, unreachable } from './external-issuer-keys';
import { authenticate, refused } from './strategies/authenticate';
import { verifyEdDsa } from './strategies/verify-eddsa';
import {
  EXTERNAL_TOKEN,
  EXTERNAL_TOKEN_CLAIMS,
  EXTERNAL_TOKEN_SKEW_SECONDS,
  isUnreachable,
} from './strategies/external-token.strategy';
import { readHeader } from './strategies/token-header';

/** Access tokens of the one external OIDC issuer that the operator named. */
@Injectable()
export class ExternalIssuer {
  constructor(
    private readonly keys: ExternalIssuerKeys,
    private readonly config: GatewayConfig,
  ) {}

  get isConfigured(): boolean {
    return this.keys.isConfigured;
  }

  async verify(token: string): Promise<JWTPayload> {
    const getKey = await this.keys.get();
    try {
      const payload =
        readHeader(token).alg === 'EdDSA'
          ? await verifyEdDsa(token, getKey, {
              issuer: this.config.OIDC_ISSUER ?? '',
              audience: this.config.OIDC_AUDIENCE ?? '',
              typ: this.config.OIDC_TOKEN_TYP,
              requiredClaims: EXTERNAL_TOKEN_CLAIMS,
              clockTolerance: EXTERNAL_TOKEN_SKEW_SECONDS,
            })
          : await authenticate<JWTPayload>(EXTERNAL_TOKEN, token);
      if (isIdToken(payload)) throw new errors.JWTClaimValidationFailed('an id_token', payload);
      return payload;
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw isUnreachable(error) ? unreachable(error) : refused(error);
    }
  }
}

/**
 * An id_token tells a client who has signed in; it is never a credential, also with a matching header (OpenID Connect,
 * 3.1.3.7).
 */
const ID_TOKEN_CLAIMS = ['nonce', 'at_hash', 'c_hash', 's_hash'];
const isIdToken = (payload: JWTPayload): boolean =>
  payload['typ'] === 'ID' ||
  payload['token_use'] === 'id' ||
  ID_TOKEN_CLAIMS.some((claim) => payload[claim] !== undefined);
