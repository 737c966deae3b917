import { RelayCalls, type ServiceName, serviceCtx } from '@switchyard/contracts';
import { type ReachedLimit, upToEntries } from '@switchyard/kernel';
import type { Bus } from '@switchyard/messaging';
import { LRUCache } from 'lru-cache';
import type { Logger } from '../logger';

const TIMEOUT_MS = 3_000;
const HOUR_MS = 3_600_000;
/** Without a subscription a limit is reported again: there may be one soon. */
const UNWATCHED_MS = 10_000;

/** Returns whether a subscription of the Space wants the event. */
type Send = (spaceId: string, limit: ReachedLimit) => Promise<boolean>;

/** Reports refusals by limits, at most one an hour and limit. A refusal does not wait for its report. */
export class ReachedLimitReports {
  private readonly reported = new LRUCache<string, true>(upToEntries(20_000));
  private send: Send | undefined;

  constructor(private readonly logger: Logger) {}

  sendWith(send: Send): void {
    this.send = send;
  }

  report(spaceId: string, limit: ReachedLimit): void {
    const key = `${spaceId} ${limit.limit}`;
    if (this.send === undefined || this.reported.has(key)) return;
    this.reported.set(key, true, { ttl: UNWATCHED_MS });
    this.send(spaceId, limit)
      .then((isWatched) => {
        if (isWatched) this.reported.set(key, true, { ttl: HOUR_MS });
      })
      .catch((err: unknown) => {
        this.logger.debug({ err, spaceId, limit: limit.limit }, 'failed to report a limit that was reached');
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
