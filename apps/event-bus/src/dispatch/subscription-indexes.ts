import { Injectable } from '@nestjs/common';
import { Database } from '@switchyard/database';
import { upToBytes } from '@switchyard/kernel';
import { LRUCache } from 'lru-cache';
import { SubscriptionsRepository } from '../db/subscriptions.repository';
import { type StoredSubscription, type SubscriptionIndex, buildIndex } from '../domain/subscription-index';

interface Kept {
  revision: number;
  index: SubscriptionIndex;
}

export interface EventRevision {
  spaceId: string;
  eventId: string;
  subscriptionsRevision: number;
}

/** Of their filters, which take a few times as much where they are parsed. */
const KEPT_BYTES = 32 * 1024 * 1024;

/** The active subscriptions of events, ready to match; read again only after they have changed. */
@Injectable()
export class SubscriptionIndexes {
  private readonly kept = new LRUCache<string, Kept>(upToBytes(KEPT_BYTES, ({ index }) => index.bytes));

  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionsRepository,
  ) {}

  /** Reads those that are not known in one go: emissions of many Spaces cost one question, not one each. */
  async load(events: readonly EventRevision[]): Promise<void> {
    const unknown = new Map<string, EventRevision>();
    for (const event of events)
      if (this.kept.get(event.eventId)?.revision !== event.subscriptionsRevision) unknown.set(event.eventId, event);
    if (unknown.size < 2) return;
    const wanted = [...unknown.values()];
    const rows = await this.database.system('read subscriptions of events', (tx) =>
      this.subscriptions.activeOfEvents(tx, wanted),
    );
    const byEvent = new Map<string, StoredSubscription[]>(wanted.map(({ eventId }) => [eventId, []]));
    for (const { eventId, ...row } of rows) byEvent.get(eventId)?.push(row);
    for (const { eventId, subscriptionsRevision } of wanted)
      this.kept.set(eventId, { revision: subscriptionsRevision, index: buildIndex(byEvent.get(eventId) ?? []) });
  }

  async of({ spaceId, eventId, subscriptionsRevision }: EventRevision): Promise<SubscriptionIndex> {
    const known = this.kept.get(eventId);
    if (known?.revision === subscriptionsRevision) return known.index;
    const active = await this.database.inSpace(spaceId, (tx) => this.subscriptions.activeOf(tx, spaceId, eventId));
    const index = buildIndex(active);
    this.kept.set(eventId, { revision: subscriptionsRevision, index });
    return index;
  }
}
