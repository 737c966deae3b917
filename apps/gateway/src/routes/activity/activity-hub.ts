import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import {
  ACTIVITY_OWNERS,
  type ActivityEntry,
  type ActivityRow,
  ActivitySignals,
  type ChangedActivity,
  actAs,
  serviceCtx,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { Logger, Metrics } from '@switchyard/service';
import { ActivityRows } from './activity-rows';
import type { ActivityWatcher } from './activity-watcher';

/** A row that changes often is sent twice a second at most. */
const TICK_MS = 500;
/** Services forget a watch that is not renewed for three times as long. */
const RENEW_MS = 15_000;
const SPACES_A_SIGNAL = 1000;
/** Rows of one Space that wait for the next tick; beyond, readers learn of the others from the list. */
const MAX_WAITING = 10_000;

interface WatchedSpace {
  watchers: Set<ActivityWatcher>;
  /** Resolves when the services note changes. */
  noted: Promise<void>;
  changed: Map<string, ActivityEntry>;
  sentAt: number;
  timer?: NodeJS.Timeout;
}

/** The Spaces whose activity is watched here, and what has changed in them. */
@Injectable()
export class ActivityHub implements OnModuleDestroy {
  private readonly spaces = new Map<string, WatchedSpace>();
  private renewal: NodeJS.Timeout | undefined;

  constructor(
    private readonly bus: Bus,
    private readonly rows: ActivityRows,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    metrics.gauge('switchyard_activity_streams', 'Open streams of activity.', [], (gauge) => {
      gauge.set([...this.spaces.values()].reduce((sum, { watchers }) => sum + watchers.size, 0));
    });
  }

  /** Resolves when nothing that changes from now on is missed; the returned function ends it. */
  async watch(spaceId: string, watcher: ActivityWatcher): Promise<() => void> {
    const watched = this.spaces.get(spaceId);
    const space: WatchedSpace = watched ?? {
      watchers: new Set(),
      noted: this.noteWatch(spaceId),
      changed: new Map(),
      sentAt: 0,
    };
    if (!watched) this.spaces.set(spaceId, space);
    space.watchers.add(watcher);
    this.renewal ??= setInterval(() => {
      this.renew();
    }, RENEW_MS).unref();
    await space.noted;
    return () => {
      this.leave(spaceId, space, watcher);
    };
  }

  onChanged({ changes }: ChangedActivity): void {
    for (const { spaceId, entry } of changes) {
      const space = this.spaces.get(spaceId);
      if (!space || (space.changed.size >= MAX_WAITING && !space.changed.has(entry.key))) continue;
      space.changed.set(entry.key, entry);
      const inMs = Math.max(0, space.sentAt + TICK_MS - Date.now());
      space.timer ??= setTimeout(() => void this.send(spaceId, space), inMs);
    }
  }

  onModuleDestroy(): void {
    clearInterval(this.renewal);
    for (const { timer, watchers } of this.spaces.values()) {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.end();
    }
  }

  private async send(spaceId: string, space: WatchedSpace): Promise<void> {
    const entries = [...space.changed.values()];
    space.changed.clear();
    space.sentAt = Date.now();
    space.timer = undefined;
    try {
      const rows = await this.rows.of(actAs(serviceCtx('gateway'), { spaceId }), entries);
      const audiences = new Map<ActivityRow, string>();
      for (const [at, row] of rows.entries()) {
        const audience = entries[at]?.audience ?? null;
        if (audience !== null) audiences.set(row, audience);
      }
      for (const watcher of space.watchers) watcher.offer(rows, audiences);
    } catch (error) {
      this.logger.warn({ err: error, spaceId }, 'failed to send an activity update');
    }
  }

  private leave(spaceId: string, space: WatchedSpace, watcher: ActivityWatcher): void {
    space.watchers.delete(watcher);
    if (space.watchers.size > 0 || this.spaces.get(spaceId) !== space) return;
    clearTimeout(space.timer);
    this.spaces.delete(spaceId);
    if (this.spaces.size > 0) return;
    clearInterval(this.renewal);
    this.renewal = undefined;
  }

  /** Each service is asked once before the stream opens. One that is away hears of it with the next renewal. */
  private async noteWatch(spaceId: string): Promise<void> {
    const ctx = serviceCtx('gateway');
    const calls = Object.values(ACTIVITY_OWNERS).map(({ watch }) => this.bus.call(watch, ctx, { spaceIds: [spaceId] }));
    await Promise.allSettled(calls);
  }

  private renew(): void {
    const spaceIds = [...this.spaces.keys()];
    for (let from = 0; from < spaceIds.length; from += SPACES_A_SIGNAL)
      this.bus.signal(ActivitySignals.watched, serviceCtx('gateway'), {
        spaceIds: spaceIds.slice(from, from + SPACES_A_SIGNAL),
      });
  }
}
