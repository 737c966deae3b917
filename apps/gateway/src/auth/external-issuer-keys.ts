import { Injectable } from '@nestjs/common';
import { AppError } from '@switchyard/kernel';
import { type JWTVerifyGetKey, createRemoteJWKSet } from 'jose';
import { GatewayConfig } from '../gateway.config';

/** The keys of the one external OIDC issuer that the operator named: from its own documents, never from a token. */
@Injectable()
export class ExternalIssuerKeys {
  private keys: Promise<JWTVerifyGetKey> | undefined;

  constructor(private readonly config: GatewayConfig) {}

  /** Both are needed: without an audience, tokens made for any other service would do. */
  get isConfigured(): boolean {
    return Boolean(this.config.OIDC_ISSUER) && Boolean(this.config.OIDC_AUDIENCE);
  }

  /** Refuses where no issuer is configured: passport-jwt checks no issuer or audience that it was not given. */
  get(): Promise<JWTVerifyGetKey> {
    if (!this.isConfigured) throw new AppError('NOT_FOUND', 'No external issuer is configured here.');
    this.keys ??= this.discover();
    return this.keys;
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

export const unreachable = (cause: unknown): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'The sign-in service is not available. Try again shortly.', { cause });
