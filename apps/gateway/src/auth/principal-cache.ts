import type { CountedLimits, Identity, OperatorRights, SpaceStanding } from '@switchyard/contracts';
import { upToBytes, upToEntries } from '@switchyard/kernel';
import { LRUCache } from 'lru-cache';

/** The principal of a credential. */
export interface Principal extends Omit<Identity, 'operator'> {
  /** Permissions of the person, or of an operator's key, under `/operator`; used nowhere else. */
  operatorRights?: OperatorRights;
  /** An operator's decisions about the Space. */
  space?: SpaceStanding;
  /** Milliseconds since the epoch; after it the credential is void, cached or not. */
  expiresAt: number;
  limits: CountedLimits;
  /** Grows with every change of the credential. */
  version: number;
}

/** A credential may be as long as a header: some ten thousand tokens, or a thousand of the longest. */
const CACHE_BYTES = 24 * 1024 * 1024;
const STRANGERS_BYTES = 8 * 1024 * 1024;

interface CachedPrincipal {
  principal: Principal;
  freshUntil: number;
}

const REMEMBER_ENDED_MS = 120_000;
/**
 * For this long a credential that was valid counts as known: it is looked up again regardless of the limit of its
 * address.
 */
const REMEMBER_GOOD_MS = 3_600_000;

/**
 * Verified credentials, for seconds. Keyed by the whole credential, never by a part of it.
 * A credential that ended while its verification was under way is not kept.
 */
export class PrincipalCache {
  private readonly entries = new LRUCache<string, CachedPrincipal>(upToBytes(CACHE_BYTES));
  private readonly junk = new LRUCache<string, number>(upToBytes(STRANGERS_BYTES));
  private readonly good = new LRUCache<string, true>({ ...upToBytes(CACHE_BYTES), ttl: REMEMBER_GOOD_MS });
  private readonly ended = new LRUCache<string, number>({ ...upToEntries(50_000), ttl: REMEMBER_ENDED_MS });
  private readonly changedMembers = new LRUCache<string, number>({ ...upToEntries(50_000), ttl: REMEMBER_ENDED_MS });
  private readonly changedSpaces = new LRUCache<string, number>({ ...upToEntries(50_000), ttl: REMEMBER_ENDED_MS });
  private readonly changedAccounts = new LRUCache<string, number>({ ...upToEntries(50_000), ttl: REMEMBER_ENDED_MS });

  constructor(
    private readonly freshMs: number,
    private readonly now: () => number = Date.now,
  ) {}

  find(credential: string): Principal | undefined {
    const entries = this.entries.get(credential);
    if (!entries) return undefined;
    const now = this.now();
    if (entries.freshUntil > now && entries.principal.expiresAt > now) return entries.principal;
    this.entries.delete(credential);
    return undefined;
  }

  /** Refused a moment ago: the same junk costs no second look-up. */
  isJunk(credential: string): boolean {
    return (this.junk.get(credential) ?? 0) > this.now();
  }

  /** It was verified a while ago, and nothing else was heard of it since. */
  wasGood(credential: string): boolean {
    return this.good.has(credential);
  }

  noteJunk(credential: string): void {
    this.good.delete(credential);
    this.junk.set(credential, this.now() + Math.min(1000, this.freshMs));
  }

  /** False if the credential has ended since `requestedAt`: the found principal is outdated. */
  keep(credential: string, principal: Principal, requestedAt: number): boolean {
    const endedVersion = this.ended.get(principal.credentialId ?? '');
    if (endedVersion !== undefined && principal.version < endedVersion) return endedVersion !== Number.MAX_SAFE_INTEGER;
    this.good.set(credential, true);
    const memberAt = this.changedMembers.get(`${principal.spaceId}/${principal.userId}`);
    const accountAt = this.changedAccounts.get(principal.userId ?? '');
    const spaceAt = this.changedSpaces.get(principal.spaceId ?? '');
    if (Math.max(memberAt ?? 0, accountAt ?? 0, spaceAt ?? 0) >= requestedAt) return true;
    this.entries.set(credential, { principal, freshUntil: this.now() + this.freshMs });
    return true;
  }

  /** The credential is void below this version. */
  end(credentialId: string, version: number): void {
    // News may overtake each other; the end of a credential is never taken back by an older change.
    this.ended.set(credentialId, Math.max(version, this.ended.get(credentialId) ?? 0));
    this.drop((principal) => principal.credentialId === credentialId && principal.version < version);
  }

  memberChanged(spaceId: string, userId: string): void {
    this.changedMembers.set(`${spaceId}/${userId}`, this.now());
    this.drop((principal) => principal.spaceId === spaceId && principal.userId === userId);
  }

  /** The account was disabled, or has become or ceased to be an operator, in whichever Space it acts. */
  accountChanged(userId: string): void {
    this.changedAccounts.set(userId, this.now());
    this.drop((principal) => principal.userId === userId);
  }

  /** The Space was suspended or resumed, or has other ceilings. */
  spaceChanged(spaceId: string): void {
    this.changedSpaces.set(spaceId, this.now());
    this.drop((principal) => principal.spaceId === spaceId);
  }

  private drop(matches: (principal: Principal) => boolean): void {
    for (const [credential, entries] of this.entries.entries())
      if (matches(entries.principal)) this.entries.delete(credential);
  }
}
