import { LRUCache } from 'lru-cache';
import type { Dispatcher } from 'undici';
import type { EgressPolicy } from './egress-policy';
import { guardedDispatcher } from './guarded-dispatcher';
import type { NameResolver } from './name-resolver';

const MOST_SPACES = 2000;
const IDLE_MS = 60_000;

/** Outgoing connections of each Space by themselves: a Space whose calls are never answered holds none of the others'. */
export class SpaceDispatchers {
  private readonly kept: LRUCache<string, Dispatcher>;

  constructor(
    private readonly policy: EgressPolicy,
    private readonly names: NameResolver,
  ) {
    this.kept = new LRUCache({
      max: MOST_SPACES,
      ttl: IDLE_MS,
      updateAgeOnGet: true,
      ttlAutopurge: true,
      // Calls under way come to their end.
      dispose: (dispatcher, _spaceId, reason) => {
        if (reason !== 'delete') void dispatcher.close().catch(() => undefined);
      },
    });
  }

  of(spaceId: string): Dispatcher {
    let dispatcher = this.kept.get(spaceId);
    if (!dispatcher) {
      dispatcher = guardedDispatcher({ policy: this.policy, names: this.names, owner: spaceId });
      this.kept.set(spaceId, dispatcher);
    }
    return dispatcher;
  }

  async close(): Promise<void> {
    const all = [...this.kept.values()];
    for (const spaceId of [...this.kept.keys()]) this.kept.delete(spaceId);
    await Promise.all(all.map((dispatcher) => dispatcher.destroy()));
  }
}
