import { Injectable } from '@nestjs/common';
import { Database, notRetried } from '@switchyard/database';
import { type Polled } from '@switchyard/concurrency';
import { isTransient, sleep } from '@switchyard/kernel';
import { NatsConnectionManager } from '@switchyard/messaging';
import { Logger, Metrics, PoisonedWork, Workers } from '@switchyard/service';
import { WaitingEmissionsRepository } from '../db/undispatched-emissions.repository';
import { ShardDispatcher } from './shard-dispatcher';

const SIDE_BY_SIDE = 4;
const POLL_MS = 1000;
/** Where so many came while the last ones were dispatched, a moment's wait makes one transaction of several. */
const MANY = 8;
const GATHER_MS = 4;

const GIVEN_UP = {
  code: 'RUNTIME_UNAVAILABLE',
  message:
    'The dispatch was given up: the process that dispatched it ended twice. An operator can have it tried again.',
};

/**
 * Wakes for what this process recorded, and looks once a second, every five where nothing waits, for what another
 * process, or an earlier life of this one, left behind.
 */
@Injectable()
export class Dispatcher {
  private readonly woken = new Set<number>();
  private readonly wakeWorker: (() => void)[];
  /** Last time each worker polled without a wake-up. */
  private readonly lookedAt = Array.from({ length: SIDE_BY_SIDE }, () => -Infinity);

  constructor(
    workers: Workers,
    link: NatsConnectionManager,
    metrics: Metrics,
    private readonly database: Database,
    private readonly waiting: WaitingEmissionsRepository,
    private readonly shards: ShardDispatcher,
    private readonly logger: Logger,
    poisoned: PoisonedWork,
  ) {
    const poller = database.idlePoller.for(waiting.dueShards);
    this.wakeWorker = Array.from({ length: SIDE_BY_SIDE }, (_, worker) =>
      workers.poll(`dispatch emissions ${worker}`, POLL_MS, () => this.round(worker), poller),
    );
    poisoned.add({
      kind: 'emission',
      runAlone: (id) => this.shards.runAlone(id),
      giveUp: (tx, id) => waiting.giveUp(tx, id, GIVEN_UP),
      retry: async (tx, { spaceId, id }) => {
        const shard = spaceId === null ? null : await waiting.startAgain(tx, spaceId, id);
        if (shard === null)
          return notRetried(tx, 'select 1 from emissions where space_id = $1 and id = $2', [spaceId, id]);
        tx.afterCommit(() => {
          this.wake([shard]);
        });
        return 'again';
      },
    });
    link.onUp(() => {
      this.wakeWorker.forEach((wake) => {
        wake();
      });
    });
    metrics.gauge(
      'switchyard_emissions_oldest_pending_seconds',
      'Age of the oldest emission that waits for its dispatch.',
      [],
      async (gauge) => {
        const age = await database
          .system('measure the backlog', (tx) => waiting.oldestAgeSeconds(tx))
          .catch(() => null);
        if (age !== null) gauge.set(age);
      },
    );
  }

  wake(shards: Iterable<number>): void {
    for (const shard of shards) {
      this.woken.add(shard);
      this.wakeWorker[shard % SIDE_BY_SIDE]?.();
    }
  }

  private async round(worker: number): Promise<Polled> {
    const own = (shard: number): boolean => shard % SIDE_BY_SIDE === worker;
    const shards = new Set([...this.woken].filter(own));
    for (const shard of shards) this.woken.delete(shard);
    // Lanes that are woken all the time must not hide the retries of others.
    if (shards.size === 0 || performance.now() - (this.lookedAt[worker] ?? 0) >= POLL_MS) {
      const waiting = await this.database.system('find waiting emissions', (tx) => this.waiting.shards(tx));
      this.lookedAt[worker] = performance.now();
      for (const shard of waiting.filter(own)) shards.add(shard);
    }
    let more = false;
    for (const shard of shards) more = (await this.runShard(shard)) || more;
    // Retries failed dispatches.
    return more || (shards.size > 0 && 'soon');
  }

  private async runShard(shard: number): Promise<boolean> {
    try {
      const { dispatched, more } = await this.shards.run(shard);
      if (more) this.woken.add(shard);
      else if (dispatched >= MANY) await sleep(GATHER_MS);
      return more;
    } catch (error) {
      if (!isTransient(error)) throw error;
      this.logger.debug({ err: error, lane: shard }, 'a dependency is unavailable; emissions wait');
      return false;
    }
  }
}
