import { RelayCalls, type ServiceName, serviceCtx } from '@switchyard/contracts';
import { AppError, type ReachedLimit, upToEntries } from '@switchyard/kernel';
import type { Bus } from '@switchyard/messaging';
import { LRUCache } from 'lru-cache';
import type { Logger } from '../logger';

const TIMEOUT_MS = 3_000;
const HOUR_MS = 3_600_000;
/** A report that failed is sent again after this time. */
const RETRY_MS = 10_000;
/** Then limits of a Space without a subscription are reported again: there may be one by then. */
const UNWATCHED_MS = 10_000;
/** From one process. A limit beyond that is reported at its next refusal. */
const IN_FLIGHT_OF_SPACE = 10;

/** Returns whether a subscription of the Space wants the event. */
type Send = (spaceId: string, limit: ReachedLimit) => Promise<boolean>;

/**
 * Reports refusals by limits, at most one an hour and limit. A refusal does not wait for its report. A Space has only so
 * many reports in flight, and none for a while if no subscription wants them.
 */
export class ReachedLimitReports {
  private readonly reported = new LRUCache<string, true>(upToEntries(20_000));
  private readonly unwatched = new LRUCache<string, true>({ ...upToEntries(20_000), ttl: UNWATCHED_MS });
  private readonly inFlight = new Map<string, number>();
  private send: Send | undefined;

  constructor(private readonly logger: Logger) {}

  sendWith(send: Send): void {
    this.send = send;
  }

  /** If a limit is why: for work that no request waits for, and for refusals that do not leave as an error. */
  reportRefusal(spaceId: string | null, error: unknown): void {
    if (error instanceof AppError && error.limit && spaceId !== null) this.report(spaceId, error.limit);
  }

  report(spaceId: string, limit: ReachedLimit): void {
    const key = `${spaceId} ${limit.limit}`;
    const inFlight = this.inFlight.get(spaceId) ?? 0;
    if (!this.send || inFlight >= IN_FLIGHT_OF_SPACE || this.unwatched.has(spaceId) || this.reported.has(key)) return;
    this.inFlight.set(spaceId, inFlight + 1);
    this.reported.set(key, true, { ttl: RETRY_MS });
    this.send(spaceId, limit)
      .then((isWatched) => {
        if (isWatched) this.reported.set(key, true, { ttl: HOUR_MS });
        else this.unwatched.set(spaceId, true);
      })
      .catch((err: unknown) => {
        this.logger.debug({ err, spaceId, limit: limit.limit }, 'failed to report a limit that was reached');
      })
      .finally(() => {
        const remaining = (this.inFlight.get(spaceId) ?? 1) - 1;
        if (remaining === 0) this.inFlight.delete(spaceId);
        else this.inFlight.set(spaceId, remaining);
      });
  }
}

/** The relay notes the limits of all services. */
export function sendReachedLimits(bus: Bus, service: ServiceName, reports: ReachedLimitReports): void {
  if (service === 'relay') return;
  reports.sendWith(async (spaceId, limit) => {
    const noted = { spaceId, ...limit };
    const ctx = serviceCtx(service);
    return (await bus.call(RelayCalls.noteReachedLimit, ctx, noted, { timeoutMs: TIMEOUT_MS })).isWatched;
  });
}
