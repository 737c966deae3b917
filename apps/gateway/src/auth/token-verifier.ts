import { Injectable } from '@nestjs/common';
import { isId } from '@switchyard/kernel';
import {
  type ExternalPerson,
  KeyCalls,
  type MemberIdentity,
  type OperatorRights,
  OPERATOR_SCOPES,
  type SignInIdentity,
  serviceCtx,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { type JWTPayload, decodeJwt } from 'jose';
import { GatewayConfig } from '../gateway.config';
import { externalIdentity } from './external-identity';
import { ExternalIssuer } from './external-issuer';
import { TokenVerificationKeys } from './token-verification-keys';
import { Principal } from './principal-cache';
import { ACCESS_TOKEN } from './strategies/access-token.strategy';
import { authenticate, refused } from './strategies/authenticate';
import { readHeader } from './strategies/token-header';

const idClaim = (payload: JWTPayload, claim: string): string => {
  const value = payload[claim];
  if (!isId(value)) throw refused(new Error(`the claim ${claim} is no id`));
  return value;
};

/** Permissions under `/operator` of a person signed in here. */
export const operatorRightsOf = (person: SignInIdentity | MemberIdentity): OperatorRights | undefined =>
  person.operator === true
    ? {
        scopes: OPERATOR_SCOPES,
        signedInAt: person.signedInAt === undefined ? null : Date.parse(person.signedInAt),
      }
    : undefined;

/**
 * Checks access tokens: our own by the key service's public keys, and those of one external issuer where it is
 * configured.
 */
@Injectable()
export class TokenVerifier {
  constructor(
    private readonly bus: Bus,
    private readonly keys: TokenVerificationKeys,
    private readonly external: ExternalIssuer,
    private readonly config: GatewayConfig,
  ) {}

  async verify(token: string): Promise<Principal> {
    if (this.external.isConfigured && this.issuerOf(token) === this.config.OIDC_ISSUER)
      return this.verifyExternal(token);
    const payload = await this.verifyOwn(token);
    const userId = idClaim(payload, 'sub');
    const signInId = idClaim(payload, 'sid');
    const person =
      payload['space'] === undefined
        ? await this.bus.call(KeyCalls.resolveSignIn, serviceCtx('gateway'), { userId, signInId })
        : await this.bus.call(KeyCalls.resolveMember, serviceCtx('gateway'), {
            userId,
            spaceId: idClaim(payload, 'space'),
            signInId,
          });
    return { ...this.principal(person, signInId, payload), operatorRights: operatorRightsOf(person) };
  }

  private issuerOf(token: string): string | undefined {
    try {
      return decodeJwt(token).iss;
    } catch (error) {
      throw refused(error);
    }
  }

  private async verifyOwn(token: string): Promise<JWTPayload> {
    const { kid } = this.headerOf(token);
    if (kid === undefined) throw refused(new Error('no kid'));
    await this.keys.withKey(kid);
    return authenticate<JWTPayload>(ACCESS_TOKEN, token);
  }

  private headerOf(token: string): { kid?: string | undefined } {
    try {
      return readHeader(token);
    } catch (error) {
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
    const { auth_time: signedInAt } = payload;
    return {
      ...this.principal(member, member.userId, payload),
      ...(typeof signedInAt === 'number' ? { signedInAt: signedInAt * 1000 } : {}),
    };
  }

  private principal(
    person: SignInIdentity | MemberIdentity | ExternalPerson,
    credentialId: string,
    payload: JWTPayload,
  ): Principal {
    return {
      spaceId: 'spaceId' in person ? person.spaceId : null,
      userId: person.userId,
      role: 'role' in person ? person.role : null,
      // `*` alone would not let people decide about approvals.
      scopes: ['*', 'approvals:answer'],
      credentialId,
      credentialType: 'jwt',
      applicationId: null,
      expiresAt: (payload.exp ?? 0) * 1000,
      limits: {},
      version: 1,
      ...('space' in person ? { space: person.space } : {}),
    };
  }
}
