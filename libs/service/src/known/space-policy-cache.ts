import {
  type CeilingName,
  type Ceilings,
  type EffectiveSettings,
  KeyCalls,
  type ServiceName,
  type SpaceStatus,
  type SuspendedSpaces,
  actAs,
  serviceCtx,
} from '@switchyard/contracts';
import { RefreshingCache } from '@switchyard/concurrency';
import { AppError, upToEntries } from '@switchyard/kernel';
import type { Bus } from '@switchyard/messaging';
import { LRUCache } from 'lru-cache';
import { PayerCache } from './payer-cache';

/**
 * While the key service is unavailable, cached policies apply for ten more minutes: refusing all would be worse than an
 * old ceiling.
 */
const AGES = { renewMs: 25_000, freshMs: 30_000, staleMs: 600_000 };
const TIMEOUT_MS = 3_000;
/** While the key service does not answer, it is not asked about the same Space by every round. */
const UNANSWERED_MS = 5_000;
const RETRY_AFTER_SECONDS = 1;

/**
 * Settings, ceilings, payer and status of Spaces, as the key service says. A change is announced and holds at once; if
 * the announcement is lost although the connection stood, it takes half a minute.
 */
export class SpacePolicyCache {
  private readonly cache = new RefreshingCache<EffectiveSettings>(AGES);
  private readonly unanswered = new LRUCache<string, true>({ ...upToEntries(10_000), ttl: UNANSWERED_MS });
  private readonly listeners: ((spaceId: string) => void)[] = [];
  private readonly suspendedListeners: ((spaceId: string, since: string | null) => void)[] = [];
  private readonly downListeners: (() => void)[] = [];

  constructor(
    private readonly bus: Bus,
    private readonly service: ServiceName,
    private readonly payerCache = new PayerCache(),
  ) {
    bus.onDown(() => {
      this.cache.expireAll();
      payerCache.refreshAll();
      for (const listener of this.downListeners) listener();
    });
    // The key service knows it from its own tables, and counts nothing by it.
    if (service !== 'key') payerCache.askWith(async (spaceId) => (await this.of(spaceId)).payer.id);
  }

  /** At once where it is known; rejects where it is not and the key service does not answer. */
  of(spaceId: string): EffectiveSettings | Promise<EffectiveSettings> {
    return this.cache.get(spaceId, async () => {
      const ctx = actAs(serviceCtx(this.service), { spaceId });
      const policy = await this.bus.call(KeyCalls.getSpaceSettings, ctx, { spaceId }, { timeoutMs: TIMEOUT_MS });
      if (policy.status === 'SUSPENDED')
        for (const listener of this.suspendedListeners) listener(spaceId, policy.suspendedAt);
      return policy;
    });
  }

  /** Whose share of the platform the Space uses; see `Payers`. */
  payerOf(spaceId: string): string {
    return this.payerCache.of(spaceId);
  }

  /** Null where nothing is known of the Space and the key service does not answer: then nothing of it may go on. */
  async statusOf(spaceId: string): Promise<SpaceStatus | null> {
    if (this.unanswered.has(spaceId)) return null;
    try {
      const policy = this.of(spaceId);
      return (policy instanceof Promise ? await policy : policy).status;
    } catch (error) {
      // It is no Space any more, or none yet: there is nothing to be suspended.
      if (error instanceof AppError && error.code === 'NOT_FOUND') return 'ACTIVE';
      this.unanswered.set(spaceId, true);
      return null;
    }
  }

  /** Null where it is not suspended, or where that is not known. */
  async suspendedAt(spaceId: string): Promise<string | null> {
    try {
      return (await this.of(spaceId)).suspendedAt;
    } catch {
      return null;
    }
  }

  /** A page of all suspended Spaces, as the key service has them at this time. */
  listSuspended(after: string | null): Promise<SuspendedSpaces> {
    const page = after === null ? {} : { after };
    return this.bus.call(KeyCalls.listSuspendedSpaces, serviceCtx(this.service), page, { timeoutMs: TIMEOUT_MS });
  }

  /** The suspensions that ended after this time, those of a Space in the order of their times. */
  listResumed(resumedAfter: string, after: string | null): Promise<SuspendedSpaces> {
    const page = after === null ? { resumedAfter } : { resumedAfter, after };
    return this.bus.call(KeyCalls.listSuspendedSpaces, serviceCtx(this.service), page, { timeoutMs: TIMEOUT_MS });
  }

  /** For requests: 503 where nothing is known of the Space and the key service does not answer. */
  async ceilingsOf(spaceId: string): Promise<Ceilings | undefined> {
    try {
      return (await this.of(spaceId)).ceilings;
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
      throw new AppError('SERVICE_UNAVAILABLE', 'The ceilings of this Space are not known at the moment. Try again.', {
        cause: error,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
  }

  /** Null where an operator has set none. */
  async ceilingOf(spaceId: string, name: CeilingName): Promise<number | null> {
    return (await this.ceilingsOf(spaceId))?.[name] ?? null;
  }

  onChange(listener: (spaceId: string) => void): void {
    this.listeners.push(listener);
  }

  /** Each time that the key service says that a Space is suspended, and since when. */
  onSuspended(listener: (spaceId: string, since: string | null) => void): void {
    this.suspendedListeners.push(listener);
  }

  /** The connection is broken: announcements may be missed. */
  onDown(listener: () => void): void {
    this.downListeners.push(listener);
  }

  /** Something of the Space changed: the next one asks. */
  invalidate(spaceId: string): void {
    this.cache.delete(spaceId);
    this.unanswered.delete(spaceId);
    this.payerCache.invalidate(spaceId);
    for (const listener of this.listeners) listener(spaceId);
  }
}
