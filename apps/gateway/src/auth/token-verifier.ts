import { Injectable } from '@nestjs/common';
import { AppError, isId } from '@switchyard/kernel';
import { KeyCalls, MemberIdentity, serviceCtx } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { JWTPayload, JWTVerifyGetKey, createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { GatewayConfig } from '../gateway.config';
import { externalIdentity } from './external-identity';
import { ExternalIssuer } from './external-issuer';
import { Principal } from './principal-cache';

interface OwnKeys {
  getKey: JWTVerifyGetKey;
  issuer: string;
  audience: string;
  readAt: number;
}

const KEYS_FRESH_MS = 300_000;
const REREAD_AT_MOST_EVERY_MS = 2000;

const refused = (cause: unknown): AppError => new AppError('UNAUTHORIZED', 'The token is not valid.', { cause });

const idClaim = (payload: JWTPayload, claim: string): string => {
  const value = payload[claim];
  if (!isId(value)) throw refused(new Error(`the claim ${claim} is no id`));
  return value;
};

/** Checks access tokens: our own by the key service's public keys, and those of one external issuer where it is configured. */
@Injectable()
export class TokenVerifier {
  private own: OwnKeys | undefined;
  private reading: Promise<OwnKeys> | undefined;

  constructor(
    private readonly bus: Bus,
    private readonly external: ExternalIssuer,
    private readonly config: GatewayConfig,
  ) {}

  forgetKeys(): void {
    this.own = undefined;
  }

  async verify(token: string): Promise<Principal> {
    if (this.external.isConfigured && this.issuerOf(token) === this.config.OIDC_ISSUER)
      return this.verifyExternal(token);
    const payload = await this.verifyOwn(token, await this.ownKeys(), true);
    const member = await this.bus.call(KeyCalls.resolveMember, serviceCtx('gateway'), {
      userId: idClaim(payload, 'sub'),
      spaceId: idClaim(payload, 'space'),
      signInId: idClaim(payload, 'sid'),
    });
    return this.principal(member, idClaim(payload, 'sid'), payload);
  }

  private issuerOf(token: string): string | undefined {
    try {
      return decodeJwt(token).iss;
    } catch (error) {
      throw refused(error);
    }
  }

  private async verifyOwn(token: string, keys: OwnKeys, mayReread: boolean): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, keys.getKey, {
        issuer: keys.issuer,
        audience: keys.audience,
        typ: 'at+jwt',
        algorithms: ['EdDSA', 'RS256'],
        requiredClaims: ['sub', 'exp', 'iat', 'jti'],
        clockTolerance: 5,
      });
      return payload;
    } catch (error) {
      const unknownKey = (error as { code?: string }).code === 'ERR_JWKS_NO_MATCHING_KEY';
      // A key that was published a moment ago is worth one more look, but junk must not make us ask all the time.
      if (unknownKey && mayReread && Date.now() - keys.readAt > REREAD_AT_MOST_EVERY_MS) {
        this.own = undefined;
        return this.verifyOwn(token, await this.ownKeys(), false);
      }
      throw refused(error);
    }
  }

  private async verifyExternal(token: string): Promise<Principal> {
    const payload = await this.external.verify(token);
    const member = await this.bus.call(
      KeyCalls.resolveExternalIdentity,
      serviceCtx('gateway'),
      externalIdentity(payload),
    );
    return this.principal(member, member.userId, payload);
  }

  private principal(member: MemberIdentity, credentialId: string, payload: JWTPayload): Principal {
    return {
      spaceId: member.spaceId,
      userId: member.userId,
      role: member.role,
      scopes: ['*'],
      credentialId,
      credentialType: 'jwt',
      applicationId: null,
      expiresAt: (payload.exp ?? 0) * 1000,
      limits: {},
      version: 1,
    };
  }

  private ownKeys(): Promise<OwnKeys> {
    if (this.own && Date.now() - this.own.readAt < KEYS_FRESH_MS) return Promise.resolve(this.own);
    this.reading ??= this.readKeys().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  private async readKeys(): Promise<OwnKeys> {
    const found = await this.bus.call(KeyCalls.jwks, serviceCtx('gateway'), {});
    const keys = found.keys.map((key) => ({ ...key }));
    this.own = {
      getKey: createLocalJWKSet({ keys }),
      issuer: found.issuer,
      audience: found.audience,
      readAt: Date.now(),
    };
    return this.own;
  }
}
