import { Injectable } from '@nestjs/common';
import { Database } from '@switchyard/database';
import { AppError, upToBytes } from '@switchyard/kernel';
import { Logger } from '@switchyard/service';
import { LRUCache } from 'lru-cache';
import { type SizedSubscription, SubscriptionsRepository } from '../db/subscriptions.repository';
import { splitIntoBatches } from '../domain/split-into-batches';
import { type StoredSubscription, type SubscriptionIndex, buildIndex } from '../domain/subscription-index';

interface CachedIndex {
  revision: number;
  index: SubscriptionIndex;
}

export interface EventRevision {
  spaceId: string;
  eventId: string;
  subscriptionsRevision: number;
}

/** Of filters that are kept ready: a parsed one takes some times its text. */
const CACHE_BYTES = 32 * 1024 * 1024;
/** Weight of a subscription without a filter. */
const SUBSCRIPTION_BYTES = 100;
/** Filters that are in memory as text at one time. */
const PAGE = { items: 1_000, bytes: 2 * 1024 * 1024 };
/**
 * A filter of before there was a limit, four times as long as that: it is not read, and its subscription starts
 * nothing.
 */
const FILTER_BYTES = 64 * 1024;
/** Of one event. Emissions of an event with more fail, and those of others pass them. */
const EVENT_BYTES = 16 * 1024 * 1024;

const bytesOf = (subscriptions: readonly SizedSubscription[]): number =>
  subscriptions.reduce((sum, { bytes }) => sum + bytes + SUBSCRIPTION_BYTES, 0);

/** The active subscriptions of events, ready to match; read again only after they have changed, and by their bytes. */
@Injectable()
export class SubscriptionIndexes {
  private readonly cache = new LRUCache<string, CachedIndex>(upToBytes(CACHE_BYTES, ({ index }) => index.bytes));

  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly logger: Logger,
  ) {}

  /** Reads those that are not known in one go: emissions of many Spaces cost one question, not one each. */
  async load(events: readonly EventRevision[]): Promise<void> {
    const unknown = new Map<string, EventRevision>();
    for (const event of events)
      if (this.cache.get(event.eventId)?.revision !== event.subscriptionsRevision) unknown.set(event.eventId, event);
    if (unknown.size < 2) return;
    const wanted = [...unknown.values()];
    const byEvent = await this.read(wanted);
    for (const event of wanted) {
      const rows = byEvent.get(event.eventId) ?? [];
      // Those of one event that is too large are left for its own emissions to fail.
      if (bytesOf(rows) <= EVENT_BYTES && rows.every(({ isFilterPending: isLeft }) => !isLeft)) this.keep(event, rows);
    }
  }

  async of(event: EventRevision): Promise<SubscriptionIndex> {
    const cached = this.cache.get(event.eventId);
    if (cached?.revision === event.subscriptionsRevision) return cached.index;
    const rows = (await this.read([event])).get(event.eventId) ?? [];
    const bytes = bytesOf(rows);
    if (bytes > EVENT_BYTES)
      throw new AppError(
        'CONFLICT',
        `The filters of this event have ${bytes} bytes together, and may have ${EVENT_BYTES}.`,
      );
    return this.keep(event, await this.withFilters(rows));
  }

  private keep(
    { eventId, subscriptionsRevision }: EventRevision,
    rows: readonly StoredSubscription[],
  ): SubscriptionIndex {
    const index = buildIndex(rows);
    this.cache.set(eventId, { revision: subscriptionsRevision, index });
    return index;
  }

  private async read(events: readonly EventRevision[]): Promise<Map<string, SizedSubscription[]>> {
    const limits = { filterBytes: FILTER_BYTES, pageBytes: PAGE.bytes };
    const rows = await this.database.system('read subscriptions of events', (tx) =>
      this.subscriptions.activeOfEvents(tx, events, limits),
    );
    const byEvent = new Map<string, SizedSubscription[]>(events.map(({ eventId }) => [eventId, []]));
    for (const row of rows) {
      if (row.bytes <= FILTER_BYTES) byEvent.get(row.eventId)?.push(row);
      else
        this.logger.warn(
          { spaceId: row.spaceId, subscriptionId: row.id, bytes: row.bytes, limit: FILTER_BYTES },
          'skipped a subscription: its filter is too large',
        );
    }
    return byEvent;
  }

  /** The filters that did not fit in the first page, a page at a time. */
  private async withFilters(rows: readonly SizedSubscription[]): Promise<SizedSubscription[]> {
    const rest = rows.filter(({ isFilterPending: isLeft }) => isLeft);
    const deleted = new Set<string>();
    for (const page of splitIntoBatches(rest, PAGE, ({ bytes }) => ({ items: 1, bytes }))) {
      const filters = await this.database.system('read filters of subscriptions', (tx) =>
        this.subscriptions.filtersOf(tx, page),
      );
      const byId = new Map(filters.map(({ id, filter }) => [id, filter]));
      for (const row of page) {
        // Without its filter, one that was removed meanwhile would start for everything.
        if (!byId.has(row.id)) deleted.add(row.id);
        row.filter = byId.get(row.id);
      }
    }
    return rows.filter(({ id }) => !deleted.has(id));
  }
}
