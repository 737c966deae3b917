import { LRUCache } from 'lru-cache';
import type { Dispatcher } from 'undici';
import type { EgressPolicy } from './egress-policy';
import { guardedDispatcher } from './guarded-dispatcher';
import type { NameResolver } from './name-resolver';

const MAX_POOLS = 2000;
const IDLE_MS = 60_000;
/** To one origin: of a payer, and of a pool, which has one receiver. */
const CONNECTIONS = { payer: 32, pool: 64 };

/** Outgoing connections of each payer by themselves: one whose calls are never answered holds none of the others'. */
export class PayerDispatchers {
  private readonly dispatchers: LRUCache<string, Dispatcher>;

  constructor(
    private readonly policy: EgressPolicy,
    private readonly names: NameResolver,
    private readonly payerOf: (spaceId: string) => string,
  ) {
    this.dispatchers = new LRUCache({
      max: MAX_POOLS,
      ttl: IDLE_MS,
      updateAgeOnGet: true,
      ttlAutopurge: true,
      // Calls under way come to their end.
      dispose: (dispatcher, _key, reason) => {
        if (reason !== 'delete') void dispatcher.close().catch(() => undefined);
      },
    });
  }

  /** `pool`: beside the others of the payer. Its lookups of names count as the payer's. */
  of(spaceId: string, pool = ''): Dispatcher {
    const payer = this.payerOf(spaceId);
    const key = `${payer} ${pool}`;
    let dispatcher = this.dispatchers.get(key);
    if (!dispatcher) {
      dispatcher = guardedDispatcher({
        policy: this.policy,
        names: this.names,
        owner: payer,
        connections: pool === '' ? CONNECTIONS.payer : CONNECTIONS.pool,
      });
      this.dispatchers.set(key, dispatcher);
    }
    return dispatcher;
  }

  async close(): Promise<void> {
    const all = [...this.dispatchers.values()];
    for (const key of [...this.dispatchers.keys()]) this.dispatchers.delete(key);
    await Promise.all(all.map((dispatcher) => dispatcher.destroy()));
  }
}
