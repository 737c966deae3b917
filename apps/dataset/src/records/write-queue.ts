import { Injectable } from '@nestjs/common';
import type { InsertRecords } from '@switchyard/contracts';
import { FairSemaphore, tooManyWaitFor } from '@switchyard/concurrency';
import { LayoutCache } from '../db/layout-cache';
import { takesTurns } from '../domain/table-layout';

const WAIT_MS = 10_000;
const WAITING = 100;

/**
 * Writers that the database would have wait for each other wait here, before they hold a connection: else a few of them
 * would hold all that their Space may have. The database's lock still counts, for other replicas and for layouts that
 * are not known yet.
 */
@Injectable()
export class WriteQueue {
  private readonly places = new Map<string, FairSemaphore>();

  constructor(private readonly layoutCache: LayoutCache) {}

  async take<T>(spaceId: string, { datasetId, records }: InsertRecords, work: () => Promise<T>): Promise<T> {
    const layout = this.layoutCache.peek(spaceId, datasetId);
    if (layout === undefined || !takesTurns(layout, records.length)) return work();
    const semaphore = this.places.get(datasetId) ?? newPlace();
    this.places.set(datasetId, semaphore);
    try {
      return await semaphore.run(spaceId, work);
    } finally {
      if (semaphore.used === 0 && semaphore.waiting === 0) this.places.delete(datasetId);
    }
  }
}

const newPlace = (): FairSemaphore =>
  new FairSemaphore({
    slots: 1,
    share: 1,
    waitMs: WAIT_MS,
    waiting: { all: WAITING, each: WAITING },
    refusal: tooManyWaitFor('their turn to write to this dataset'),
  });
