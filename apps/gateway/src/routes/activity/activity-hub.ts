import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import {
  ACTIVITY_OWNERS,
  type ActivityEntry,
  type ActivityRow,
  type ActivityOwnerCalls,
  ActivitySignals,
  type ChangedActivity,
  actAs,
  serviceCtx,
} from '@switchyard/contracts';
import { sleep } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { Logger, Metrics } from '@switchyard/service';
import { ActivityRows } from './activity-rows';
import type { ActivityWatcher } from './activity-watcher';

/** A row that changes often is sent twice a second at most. */
const TICK_MS = 500;
/** Services forget a watch that is not renewed for three times as long. */
const RENEW_MS = 15_000;
/** A service that has not answered is asked again after this long, and then less and less often. */
const ASK_AGAIN_MS = 1000;
const SPACES_A_SIGNAL = 1000;
/** Rows of one Space that wait for the next tick. Beyond, its readers have to read the list. */
const MAX_WAITING = 10_000;

interface WatchedSpace {
  watchers: Set<ActivityWatcher>;
  /** Resolves when the services note changes. */
  noted: Promise<void>;
  changed: Map<string, ActivityEntry>;
  hasMissed: boolean;
  sentAt: number;
  /** Rows go out one batch after the other, so that no older state of a row follows a newer one. */
  isSending: boolean;
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
    // Signals are lost while there is no connection.
    bus.onDown(() => {
      for (const space of this.spaces.values()) endReaders(space);
    });
    metrics.gauge('switchyard_activity_streams', 'Open streams of activity.', [], (gauge) => {
      gauge.set([...this.spaces.values()].reduce((sum, { watchers }) => sum + watchers.size, 0));
    });
  }

  /** Resolves when nothing that changes from now on is missed; the returned function ends it. */
  async watch(spaceId: string, watcher: ActivityWatcher): Promise<() => void> {
    const watched = this.spaces.get(spaceId);
    const space: WatchedSpace = watched ?? {
      watchers: new Set(),
      noted: Promise.resolve(),
      changed: new Map(),
      hasMissed: false,
      sentAt: 0,
      isSending: false,
    };
    if (!watched) {
      this.spaces.set(spaceId, space);
      space.noted = this.noteWatch(spaceId, space);
    }
    space.watchers.add(watcher);
    this.renewal ??= setInterval(() => {
      this.renew();
    }, RENEW_MS).unref();
    await space.noted;
    return () => {
      this.leave(spaceId, space, watcher);
    };
  }

  onChanged({ changes, missed = [] }: ChangedActivity): void {
    for (const spaceId of missed) {
      const space = this.spaces.get(spaceId);
      if (space) endReaders(space);
    }
    for (const { spaceId, entry } of changes) {
      const space = this.spaces.get(spaceId);
      if (!space) continue;
      if (space.changed.size >= MAX_WAITING && !space.changed.has(entry.key)) space.hasMissed = true;
      else space.changed.set(entry.key, entry);
      this.schedule(spaceId, space);
    }
  }

  onModuleDestroy(): void {
    clearInterval(this.renewal);
    for (const { timer, watchers } of this.spaces.values()) {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.end();
    }
  }

  private schedule(spaceId: string, space: WatchedSpace): void {
    if (space.isSending || space.changed.size === 0 || this.spaces.get(spaceId) !== space) return;
    const inMs = Math.max(0, space.sentAt + TICK_MS - Date.now());
    space.timer ??= setTimeout(() => void this.send(spaceId, space), inMs);
  }

  private async send(spaceId: string, space: WatchedSpace): Promise<void> {
    const { changed, hasMissed } = space;
    space.changed = new Map();
    space.hasMissed = false;
    space.sentAt = Date.now();
    space.timer = undefined;
    space.isSending = true;
    try {
      if (hasMissed) endReaders(space);
      else await this.offer(spaceId, space, [...changed.values()]);
    } catch (error) {
      this.logger.warn({ err: error, spaceId }, 'failed to send an activity update; its streams end');
      endReaders(space);
    }
    space.isSending = false;
    this.schedule(spaceId, space);
  }

  private async offer(spaceId: string, { watchers }: WatchedSpace, entries: readonly ActivityEntry[]): Promise<void> {
    const rows = await this.rows.of(actAs(serviceCtx('gateway'), { spaceId }), entries);
    const audiences = new Map<ActivityRow, string>();
    for (const [at, row] of rows.entries()) {
      const audience = entries[at]?.audience ?? null;
      if (audience !== null) audiences.set(row, audience);
    }
    for (const watcher of watchers) watcher.offer(rows, audiences);
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

  /** Each service is asked before the stream opens. It opens without those that do not answer. */
  private async noteWatch(spaceId: string, space: WatchedSpace): Promise<void> {
    await Promise.all(
      Object.values(ACTIVITY_OWNERS).map(async (owner) => {
        if (!(await this.ask(owner, spaceId))) void this.askAgain(owner, spaceId, space);
      }),
    );
  }

  /** Changes may have been missed until the service answered, so the readers have to read the list once more. */
  private async askAgain(owner: ActivityOwnerCalls, spaceId: string, space: WatchedSpace): Promise<void> {
    const isWatched = (): boolean => this.spaces.get(spaceId) === space;
    let pauseMs = ASK_AGAIN_MS;
    do {
      await sleep(pauseMs);
      pauseMs = Math.min(RENEW_MS, pauseMs * 2);
    } while (isWatched() && !(await this.ask(owner, spaceId)));
    if (isWatched()) endReaders(space);
  }

  private async ask({ watch }: ActivityOwnerCalls, spaceId: string): Promise<boolean> {
    try {
      await this.bus.call(watch, serviceCtx('gateway'), { spaceIds: [spaceId] });
      return true;
    } catch {
      return false;
    }
  }

  private renew(): void {
    const spaceIds = [...this.spaces.keys()];
    for (let from = 0; from < spaceIds.length; from += SPACES_A_SIGNAL)
      this.bus.signal(ActivitySignals.watched, serviceCtx('gateway'), {
        spaceIds: spaceIds.slice(from, from + SPACES_A_SIGNAL),
      });
  }
}

function endReaders({ watchers }: WatchedSpace): void {
  for (const watcher of watchers) watcher.miss();
}
