import { type EffectiveSettings, KeyCalls, type ServiceName, actAs, serviceCtx } from '@switchyard/contracts';
import type { Bus } from '@switchyard/messaging';
import { upToEntries } from '@switchyard/kernel';
import { LRUCache } from 'lru-cache';
import { KnownAnswers } from './known-answers';

/** While the key service is away, what is known holds for ten more minutes: refusing all would be worse than an old ceiling. */
const AGES = { renewMs: 25_000, freshMs: 30_000, staleMs: 600_000 };
const TIMEOUT_MS = 3_000;

const ignore = (): void => undefined;

/**
 * Settings, ceilings, payer and status of Spaces, as the key service says. A change is announced and holds at once; if the
 * announcement is lost although the connection stood, it takes half a minute.
 */
export class SpacePolicies {
  private readonly known = new KnownAnswers<EffectiveSettings>(AGES);
  /** Of Spaces that another one, or a person, pays for; also while what is known is asked for again. */
  private readonly payers = new LRUCache<string, string>(upToEntries(20_000));
  private readonly listeners: ((spaceId: string) => void)[] = [];

  constructor(
    private readonly bus: Bus,
    private readonly service: ServiceName,
  ) {
    bus.onDown(() => {
      this.known.doubtAll();
    });
  }

  /** At once where it is known; rejects where it is not and the key service does not answer. */
  of(spaceId: string): EffectiveSettings | Promise<EffectiveSettings> {
    return this.known.of(spaceId, () =>
      this.bus.call(
        KeyCalls.getSpaceSettings,
        actAs(serviceCtx(this.service), { spaceId }),
        { spaceId },
        { timeoutMs: TIMEOUT_MS },
      ),
    );
  }

  /**
   * Whose share of the platform the Space uses, as a key for counting: the id of its payer. Until the key service has
   * said so, the Space counts for itself; nothing waits for it.
   */
  payerOf(spaceId: string): string {
    const last = this.payers.get(spaceId);
    const policy = this.of(spaceId);
    if (!(policy instanceof Promise)) return this.notePayer(spaceId, policy);
    policy.then((answer) => this.notePayer(spaceId, answer)).catch(ignore);
    return last ?? spaceId;
  }

  private notePayer(spaceId: string, { payer }: EffectiveSettings): string {
    const id = payer?.id ?? spaceId;
    if (id !== spaceId) this.payers.set(spaceId, id);
    else if (this.payers.size > 0) this.payers.delete(spaceId);
    return id;
  }

  onChange(listener: (spaceId: string) => void): void {
    this.listeners.push(listener);
  }

  /** Something of the Space changed: the next one asks. */
  forget(spaceId: string): void {
    this.known.forget(spaceId);
    for (const listener of this.listeners) listener(spaceId);
  }
}
