import {
  type CeilingName,
  type EffectiveSettings,
  KeyCalls,
  type ServiceName,
  type SpaceStatus,
  actAs,
  serviceCtx,
} from '@switchyard/contracts';
import { RefreshingCache } from '@switchyard/concurrency';
import { AppError, upToEntries } from '@switchyard/kernel';
import type { Bus } from '@switchyard/messaging';
import { LRUCache } from 'lru-cache';
import { Payers } from './payers';

/** While the key service is away, what is known holds for ten more minutes: refusing all would be worse than an old ceiling. */
const AGES = { renewMs: 25_000, freshMs: 30_000, staleMs: 600_000 };
const TIMEOUT_MS = 3_000;
/** While the key service does not answer, it is not asked about the same Space by every round. */
const UNANSWERED_MS = 5_000;

/**
 * Settings, ceilings, payer and status of Spaces, as the key service says. A change is announced and holds at once; if the
 * announcement is lost although the connection stood, it takes half a minute.
 */
export class SpacePolicies {
  private readonly cache = new RefreshingCache<EffectiveSettings>(AGES);
  private readonly unanswered = new LRUCache<string, true>({ ...upToEntries(10_000), ttl: UNANSWERED_MS });
  private readonly listeners: ((spaceId: string) => void)[] = [];

  constructor(
    private readonly bus: Bus,
    private readonly service: ServiceName,
    private readonly payers = new Payers(),
  ) {
    bus.onDown(() => {
      this.cache.expireAll();
      payers.doubtAll();
    });
    // The key service knows it from its own tables, and counts nothing by it.
    if (service !== 'key') payers.askWith(async (spaceId) => (await this.of(spaceId)).payer?.id ?? spaceId);
  }

  /** At once where it is known; rejects where it is not and the key service does not answer. */
  of(spaceId: string): EffectiveSettings | Promise<EffectiveSettings> {
    return this.cache.get(spaceId, () =>
      this.bus.call(
        KeyCalls.getSpaceSettings,
        actAs(serviceCtx(this.service), { spaceId }),
        { spaceId },
        { timeoutMs: TIMEOUT_MS },
      ),
    );
  }

  /** Whose share of the platform the Space uses; see `Payers`. */
  payerOf(spaceId: string): string {
    return this.payers.of(spaceId);
  }

  /** Null where nothing is known of the Space and the key service does not answer: then nothing of it may go on. */
  async statusOf(spaceId: string): Promise<SpaceStatus | null> {
    if (this.unanswered.has(spaceId)) return null;
    try {
      const policy = this.of(spaceId);
      return (policy instanceof Promise ? await policy : policy).status ?? 'ACTIVE';
    } catch (error) {
      // It is no Space any more, or none yet: there is nothing to be suspended.
      if (error instanceof AppError && error.code === 'NOT_FOUND') return 'ACTIVE';
      this.unanswered.set(spaceId, true);
      return null;
    }
  }

  /** For requests: 503 where nothing is known of the Space and the key service does not answer. */
  async ceilingsOf(spaceId: string): Promise<EffectiveSettings['ceilings']> {
    try {
      return (await this.of(spaceId)).ceilings;
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
      throw new AppError('SERVICE_UNAVAILABLE', 'The ceilings of this Space are not known at the moment. Try again.', {
        cause: error,
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

  /** Something of the Space changed: the next one asks. */
  forget(spaceId: string): void {
    this.cache.delete(spaceId);
    this.unanswered.delete(spaceId);
    this.payers.forget(spaceId);
    for (const listener of this.listeners) listener(spaceId);
  }
}
