import { Injectable } from '@nestjs/common';
import { Database } from '@switchyard/database';
import { LRUCache } from 'lru-cache';
import { SubscriptionsRepository } from '../db/subscriptions.repository';
import { type SubscriptionIndex, buildIndex } from '../domain/subscription-index';

interface Kept {
  revision: number;
  index: SubscriptionIndex;
}

export interface EventRevision {
  spaceId: string;
  eventId: string;
  subscriptionsRevision: number;
}

const KEPT_SUBSCRIPTIONS = 200_000;

/** The active subscriptions of events, ready to match; read again only after they have changed. */
@Injectable()
export class SubscriptionIndexes {
  private readonly kept = new LRUCache<string, Kept>({
    max: 10_000,
    maxSize: KEPT_SUBSCRIPTIONS,
    sizeCalculation: ({ index }) => index.size + 1,
  });

  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionsRepository,
  ) {}

  async of({ spaceId, eventId, subscriptionsRevision }: EventRevision): Promise<SubscriptionIndex> {
    const known = this.kept.get(eventId);
    if (known?.revision === subscriptionsRevision) return known.index;
    const active = await this.database.inSpace(spaceId, (tx) => this.subscriptions.activeOf(tx, spaceId, eventId));
    const index = buildIndex(active);
    this.kept.set(eventId, { revision: subscriptionsRevision, index });
    return index;
  }
}
