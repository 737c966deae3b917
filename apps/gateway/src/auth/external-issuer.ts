import { Injectable } from '@nestjs/common';
import { AppError } from '@switchyard/kernel';
import { JWTPayload, JWTVerifyGetKey, createRemoteJWKSet, jwtVerify } from 'jose';
import { GatewayConfig } from '../gateway.config';

/** Asymmetric ones only: a shared secret cannot tell who signed. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** The one external OIDC issuer that the operator named. Its keys come from its own documents, never from a token. */
@Injectable()
export class ExternalIssuer {
  private keys: Promise<JWTVerifyGetKey> | undefined;

  constructor(private readonly config: GatewayConfig) {}

  async verify(token: string): Promise<JWTPayload> {
    this.keys ??= this.discover();
    try {
      const { payload } = await jwtVerify(token, await this.keys, {
        issuer: this.config.OIDC_ISSUER,
        audience: this.config.OIDC_AUDIENCE ?? '',
        algorithms: ALGORITHMS,
        requiredClaims: ['sub', 'exp'],
        clockTolerance: 30,
      });
      return payload;
    } catch (error) {
      throw new AppError('UNAUTHORIZED', 'The token is not valid.', { cause: error });
    }
  }

  private async discover(): Promise<JWTVerifyGetKey> {
    try {
      const url = this.config.OIDC_JWKS_URL ?? (await this.discoverUrl());
      return createRemoteJWKSet(new URL(url), { timeoutDuration: 5000, cooldownDuration: 10_000 });
    } catch (error) {
      this.keys = undefined;
      throw new AppError('SERVICE_UNAVAILABLE', 'The sign-in service is not available. Try again shortly.', { cause: error });
    }
  }

  private async discoverUrl(): Promise<string> {
    const issuer = (this.config.OIDC_ISSUER ?? '').replace(/\/$/, '');
    const response = await fetch(`${issuer}/.well-known/openid-configuration`, { signal: AbortSignal.timeout(5000), redirect: 'error' });
    const document = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown };
    if (document.issuer !== this.config.OIDC_ISSUER || typeof document.jwks_uri !== 'string') throw new Error('not the document of this issuer');
    return document.jwks_uri;
  }
}
