import { Injectable } from '@nestjs/common';
import { AppError } from '@switchyard/kernel';
import {
  type Identity,
  KeyCalls,
  type KeyLimits,
  type VerifiedKey,
  serviceCtx,
  tombstoneKey,
} from '@switchyard/contracts';
import { SingleFlight } from '@switchyard/concurrency';
import { Bus } from '@switchyard/messaging';
import { RedisCache } from '@switchyard/service';
import { GatewayConfig } from '../gateway.config';
import { Credential } from './credential';
import { Principal, PrincipalCache } from './principal-cache';
import { API_KEY } from './strategies/api-key.strategy';
import { authenticate } from './strategies/authenticate';
import { TokenVerifier, operatorRightsOf } from './token-verifier';
import { type Stranger, UnverifiedCredentialLookups } from './unverified-credential-lookups';

/** A caller's permissions, which can change while a response is open. */
export type Rights = Pick<Principal, 'role' | 'scopes' | 'isReplaced' | 'operatorRights' | 'space'>;

interface Bound {
  credential: Credential;
  /** The Space that the credential names: none for some, and not always that of the context. */
  spaceId: string | null;
  limits: KeyLimits;
  expiresAt: number;
  /** When the credential was last found good. */
  verifiedAt: number;
}

/** From a credential to who acts. Verification costs a call; a verified credential is believed for seconds. */
@Injectable()
export class Principals {
  readonly cache: PrincipalCache;
  private readonly lookUps = new SingleFlight<Principal>();
  private readonly bound = new WeakMap<Identity, Bound>();

  constructor(
    private readonly bus: Bus,
    private readonly tokens: TokenVerifier,
    private readonly redis: RedisCache,
    private readonly unknown: UnverifiedCredentialLookups,
    config: GatewayConfig,
  ) {
    this.cache = new PrincipalCache(config.CREDENTIAL_CACHE_MS);
  }

  /**
   * At once when it is known, else a promise; rejects with UNAUTHORIZED. A credential that has never been good is
   * looked up only as far as the limit of the `stranger` allows who shows it.
   */
  resolve(credential: Credential, stranger?: Stranger): Principal | Promise<Principal> {
    const cached = this.cache.find(credential.value);
    if (cached) return cached;
    if (this.cache.isJunk(credential.value)) throw unauthorized();
    return this.lookUps.run(credential.value, () => {
      const isUnknown = stranger !== undefined && !this.cache.wasGood(credential.value);
      return isUnknown ? this.unknown.lookUp(stranger, () => this.ask(credential)) : this.ask(credential);
    });
  }

  /** The credential's principal if it is cached or recently was; makes no look-up for unknown ones. */
  find(credential: Credential): Principal | Promise<Principal> | null {
    const cached = this.cache.find(credential.value);
    if (cached) return cached;
    return this.cache.wasGood(credential.value) ? this.resolve(credential) : null;
  }

  /** Remembers by which credential a caller came, as long as the caller is there. */
  bind(caller: Identity, credential: Credential, principal: Principal): void {
    const { spaceId, limits, expiresAt } = principal;
    this.bound.set(caller, { credential, spaceId, limits, expiresAt, verifiedAt: Date.now() });
  }

  /** Limits of the caller's key; none for a person. */
  limitsOf(caller: Identity): KeyLimits {
    return this.bound.get(caller)?.limits ?? {};
  }

  /** When the caller's credential was last found good. */
  verifiedAt(caller: Identity): number {
    return this.bound.get(caller)?.verifiedAt ?? Date.now();
  }

  /**
   * The caller's credential as it is now, from the cache where it is known: rejects with UNAUTHORIZED when it is void.
   * Null where nothing else is known of it than at first.
   */
  resolveAgain(caller: Identity): Rights | Promise<Rights | null> | null {
    const bound = this.bound.get(caller);
    if (!bound) return null;
    const hasExpired = bound.credential.kind === 'jwt' && bound.expiresAt <= Date.now();
    return hasExpired ? this.verifyAgain(caller) : this.resolve(bound.credential);
  }

  /** Takes over what `resolveAgain` has found. */
  rebind(caller: Identity, rights: Rights | null): void {
    const bound = this.bound.get(caller);
    if (!bound) return;
    bound.verifiedAt = Date.now();
    if (rights === null) return;
    if (caller.operator) {
      // Without the rights, the check that follows refuses the caller.
      caller.operator = rights.operatorRights;
      return;
    }
    caller.role = rights.role;
    caller.scopes = rights.scopes;
    caller.isReplaced = rights.isReplaced;
    if ('limits' in rights) bound.limits = (rights as Principal).limits;
  }

  /**
   * Whether a caller that was let in may still act: rejects with UNAUTHORIZED when the credential was revoked or the
   * member has left, else says what it may do now. An access token that has only expired meanwhile is still good for
   * what it began.
   */
  async verifyAgain(caller: Identity): Promise<Rights | null> {
    const bound = this.bound.get(caller);
    if (bound && bound.credential.kind !== 'jwt') return this.resolve(bound.credential);
    const { userId, credentialId } = caller;
    const spaceId = bound?.spaceId ?? caller.spaceId;
    if (userId === null) return null;
    // A token of an external issuer belongs to no sign-in of ours, and is named by its user.
    const signInId = credentialId === null || credentialId === userId ? undefined : credentialId;
    const gateway = serviceCtx('gateway');
    const soon = { timeoutMs: 5000 };
    try {
      if (spaceId !== null) {
        const member = { userId, spaceId, ...(signInId === undefined ? {} : { signInId }) };
        const found = await this.bus.call(KeyCalls.resolveMember, gateway, member, soon);
        return { role: found.role, scopes: caller.scopes, operatorRights: operatorRightsOf(found), space: found.space };
      }
      if (signInId === undefined) return null;
      const found = await this.bus.call(KeyCalls.resolveSignIn, gateway, { userId, signInId }, soon);
      return { role: null, scopes: caller.scopes, operatorRights: operatorRightsOf(found) };
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') throw unauthorized();
      throw error;
    }
  }

  private async ask(credential: Credential): Promise<Principal> {
    const requestedAt = Date.now();
    try {
      const principal = await this.verify(credential);
      if (!this.cache.keep(credential.value, principal, requestedAt)) throw unauthorized();
      if (principal.credentialId !== null) void this.heedMark(principal.credentialId);
      return principal;
    } catch (error) {
      if (!(error instanceof AppError) || (error.code !== 'UNAUTHORIZED' && error.code !== 'NOT_FOUND')) throw error;
      this.cache.noteJunk(credential.value);
      throw unauthorized();
    }
  }

  /**
   * Drops entries that changed during the look-up, in case the signal was lost. Not awaited: this request was verified;
   * the next ones must not find a stale principal. Without Redis the cache time is short.
   */
  private async heedMark(credentialId: string): Promise<void> {
    if (!this.redis.isUp) return;
    const version = await this.redis.client.get(tombstoneKey(credentialId)).catch(() => null);
    if (version !== null) this.cache.end(credentialId, Number(version));
  }

  private async verify({ kind, value }: Credential): Promise<Principal> {
    if (kind === 'jwt') return this.tokens.verify(value);
    if (kind === 'key') return principalOf(await authenticate<VerifiedKey>(API_KEY, value));
    const gateway = serviceCtx('gateway');
    const request = { accountId: value };
    return principalOf(await this.bus.call(KeyCalls.verifyNatsAccount, gateway, request, { timeoutMs: 5000 }));
  }
}

function principalOf({ operatorScopes, ...verified }: VerifiedKey): Principal {
  return {
    ...verified,
    limits: verified.limits ?? {},
    expiresAt: verified.expiresAt === null ? Number.MAX_SAFE_INTEGER : Date.parse(verified.expiresAt),
    ...(operatorScopes ? { operatorRights: { scopes: operatorScopes, signedInAt: null } } : {}),
  };
}

export const unauthorized = (): AppError =>
  new AppError('UNAUTHORIZED', 'Send a valid credential: Authorization: Bearer <token or API key>.');
