import {
  type CeilingName,
  type EffectiveSettings,
  KeyCalls,
  type ServiceName,
  actAs,
  serviceCtx,
} from '@switchyard/contracts';
import type { Bus } from '@switchyard/messaging';
import { KnownAnswers } from './known-answers';
import { Payers } from './payers';

/** While the key service is away, what is known holds for ten more minutes: refusing all would be worse than an old ceiling. */
const AGES = { renewMs: 25_000, freshMs: 30_000, staleMs: 600_000 };
const TIMEOUT_MS = 3_000;

/**
 * Settings, ceilings, payer and status of Spaces, as the key service says. A change is announced and holds at once; if the
 * announcement is lost although the connection stood, it takes half a minute.
 */
export class SpacePolicies {
  private readonly known = new KnownAnswers<EffectiveSettings>(AGES);
  private readonly listeners: ((spaceId: string) => void)[] = [];

  constructor(
    private readonly bus: Bus,
    private readonly service: ServiceName,
    private readonly payers = new Payers(),
  ) {
    bus.onDown(() => {
      this.known.doubtAll();
      payers.doubtAll();
    });
    // The key service knows it from its own tables, and counts nothing by it.
    if (service !== 'key') payers.askWith(async (spaceId) => (await this.of(spaceId)).payer?.id ?? spaceId);
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

  /** Whose share of the platform the Space uses; see `Payers`. */
  payerOf(spaceId: string): string {
    return this.payers.of(spaceId);
  }

  /** Null where an operator has set none, and where nobody can say. */
  async ceilingOf(spaceId: string, name: CeilingName): Promise<number | null> {
    try {
      const { ceilings } = await this.of(spaceId);
      return ceilings?.[name] ?? null;
    } catch {
      return null;
    }
  }

  onChange(listener: (spaceId: string) => void): void {
    this.listeners.push(listener);
  }

  /** Something of the Space changed: the next one asks. */
  forget(spaceId: string): void {
    this.known.forget(spaceId);
    this.payers.forget(spaceId);
    for (const listener of this.listeners) listener(spaceId);
  }
}
