import { Injectable } from '@nestjs/common';
import { AppError } from '@switchyard/kernel';
import { JWTPayload, JWTVerifyGetKey, createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { GatewayConfig } from '../gateway.config';

/** Asymmetric ones only: a shared secret cannot tell who signed. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** The one external OIDC issuer that the operator named. Its keys come from its own documents, never from a token. */
@Injectable()
export class ExternalIssuer {
  private keys: Promise<JWTVerifyGetKey> | undefined;

  constructor(private readonly config: GatewayConfig) {}

  /** Both are needed: without an audience, tokens made for any other service would do. */
  get isConfigured(): boolean {
    return Boolean(this.config.OIDC_ISSUER) && Boolean(this.config.OIDC_AUDIENCE);
  }

  async verify(token: string): Promise<JWTPayload> {
    const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience } = this.config;
    if (!issuer || !audience) throw new AppError('NOT_FOUND', 'No external issuer is configured here.');
    this.keys ??= this.discover();
    const keys = await this.keys;
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        typ: this.config.OIDC_TOKEN_TYP,
        algorithms: ALGORITHMS,
        requiredClaims: ['sub', 'exp'],
        clockTolerance: 30,
      });
      if (isIdToken(payload)) throw new errors.JWTClaimValidationFailed('an id_token', payload);
      return payload;
    } catch (error) {
      // Not to have reached the issuer says nothing about the token.
      if (!(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout) throw unreachable(error);
      throw new AppError('UNAUTHORIZED', 'The token is not valid.', { cause: error });
    }
  }

  private async discover(): Promise<JWTVerifyGetKey> {
    try {
      const url = this.config.OIDC_JWKS_URL ?? (await this.discoverUrl());
      return createRemoteJWKSet(new URL(url), { timeoutDuration: 5000, cooldownDuration: 10_000 });
    } catch (error) {
      this.keys = undefined;
      throw unreachable(error);
    }
  }

  private async discoverUrl(): Promise<string> {
    const issuer = (this.config.OIDC_ISSUER ?? '').replace(/\/$/, '');
    const response = await fetch(`${issuer}/.well-known/openid-configuration`, {
      signal: AbortSignal.timeout(5000),
      redirect: 'error',
    });
    const document = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown };
    if (document.issuer !== this.config.OIDC_ISSUER || typeof document.jwks_uri !== 'string')
      throw new Error('not the document of this issuer');
    return document.jwks_uri;
  }
}

/** An id_token tells a client who has signed in; it is no credential, whatever its header says (OpenID Connect, 3.1.3.7). */
const ID_TOKEN_CLAIMS = ['nonce', 'at_hash', 'c_hash', 's_hash'];
const isIdToken = (payload: JWTPayload): boolean =>
  payload['typ'] === 'ID' ||
  payload['token_use'] === 'id' ||
  ID_TOKEN_CLAIMS.some((claim) => payload[claim] !== undefined);

const unreachable = (cause: unknown): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'The sign-in service is not available. Try again shortly.', { cause });
