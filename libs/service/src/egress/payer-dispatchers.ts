import { LRUCache } from 'lru-cache';
import type { Dispatcher } from 'undici';
import type { EgressPolicy } from './egress-policy';
import { guardedDispatcher } from './guarded-dispatcher';
import type { NameResolver } from './name-resolver';

const MAX_PAYERS = 2000;
const IDLE_MS = 60_000;

/** Outgoing connections of each payer by themselves: one whose calls are never answered holds none of the others'. */
export class PayerDispatchers {
  private readonly dispatchers: LRUCache<string, Dispatcher>;

  constructor(
    private readonly policy: EgressPolicy,
    private readonly names: NameResolver,
    private readonly payerOf: (spaceId: string) => string,
  ) {
    this.dispatchers = new LRUCache({
      max: MAX_PAYERS,
      ttl: IDLE_MS,
      updateAgeOnGet: true,
      ttlAutopurge: true,
      // Calls under way come to their end.
      dispose: (dispatcher, _payer, reason) => {
        if (reason !== 'delete') void dispatcher.close().catch(() => undefined);
      },
    });
  }

  of(spaceId: string): Dispatcher {
    const payer = this.payerOf(spaceId);
    let dispatcher = this.dispatchers.get(payer);
    if (!dispatcher) {
      dispatcher = guardedDispatcher({ policy: this.policy, names: this.names, owner: payer });
      this.dispatchers.set(payer, dispatcher);
    }
    return dispatcher;
  }

  async close(): Promise<void> {
    const all = [...this.dispatchers.values()];
    for (const payer of [...this.dispatchers.keys()]) this.dispatchers.delete(payer);
    await Promise.all(all.map((dispatcher) => dispatcher.destroy()));
  }
}
