import { Injectable } from '@nestjs/common';
import { FairSemaphore, tooManyWaitFor } from '@switchyard/concurrency';
import { Metrics } from '@switchyard/service';
import { clientNetwork } from '../limits/client-network';
import { type RateHeaders, RateLimiter } from '../limits/rate-limiter';

/** A caller whose credential this process has never found to be good. */
export interface Stranger {
  address: string;
  /** Shows what its address has left. */
  reply: RateHeaders;
}

/** Look-ups at a time. The key service answers one in a few milliseconds, and has other work. */
const AT_ONCE = 64;
const WAIT_MS = 5_000;
const WAITING = { all: 2_000, each: 600 };

/**
 * Look-ups of credentials that may be made up. Each may end as a refusal of its address, so no more are under way than
 * the address has refusals left; and no address has more than a quarter of them while another one waits.
 */
@Injectable()
export class UnverifiedCredentialLookups {
  private readonly pending = new Map<string, number>();
  private readonly slots = new FairSemaphore({
    slots: AT_ONCE,
    share: AT_ONCE / 4,
    reserve: AT_ONCE / 8,
    waitMs: WAIT_MS,
    waiting: WAITING,
    refusal: tooManyWaitFor('the check of their credential'),
  });

  constructor(
    private readonly limiter: RateLimiter,
    metrics: Metrics,
  ) {
    metrics.bounded(
      {
        name: 'switchyard_credential_lookups',
        help: 'Lookups of credentials that are not in the cache of valid ones.',
        measures: ['used', 'limit', 'waiting', 'refused'],
      },
      (set) => {
        const { used, slots: limit, waiting, refused } = this.slots;
        set({ used, limit, waiting, refused });
      },
    );
  }

  /** Throws RATE_LIMITED, without any look-up, where the address has none left. */
  lookUp<T>({ address, reply }: Stranger, look: () => Promise<T>): Promise<T> {
    const owner = clientNetwork(address);
    const pending = this.pending.get(owner) ?? 0;
    this.limiter.checkAddress(address, pending, reply);
    this.pending.set(owner, pending + 1);
    return this.slots.run(owner, look).finally(() => {
      const remaining = (this.pending.get(owner) ?? 1) - 1;
      if (remaining > 0) this.pending.set(owner, remaining);
      else this.pending.delete(owner);
    });
  }
}
