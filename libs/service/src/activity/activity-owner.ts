import {
  type ActivityEntry,
  type ActivityRange,
  ActivitySignals,
  type ActivitySlice,
  type ChangedEntry,
  type Ctx,
  type Items,
  type ServiceName,
  type StatusCount,
  type WatchedSpaces,
  requireSpace,
  roleAtLeast,
  serviceCtx,
} from '@switchyard/contracts';
import {
  type ActivitySource,
  type Database,
  activityChanges,
  activityCounters,
  anyActivityDeltas,
  anyOldWatches,
  listActivity,
  readActivity,
} from '@switchyard/database';
import type { Polled } from '@switchyard/concurrency';
import type { Bus } from '@switchyard/messaging';
import type { Metrics } from '../metrics';
import type { Retention } from '../retention/retention';
import type { Workers } from '../workers/background-loops';

const FOLD_EVERY_MS = 1000;
const FOLD_AT_ONCE = 5000;
/** A row that changes often is told of twice a second. */
const TICK_MS = 500;
const CHANGES_A_TICK = 5000;
const ENTRIES_A_MESSAGE = 500;
const SPACES_A_MESSAGE = 1000;
/** Changed rows that cannot be read are read so many times more. */
const READ_AGAIN = 3;
const WATCH_SECONDS = 45;
/** Noting a watch costs a write. Watchers say every 15 seconds that they are still there. */
const RENEW_AFTER_MS = 10_000;

export interface OwnedActivity<Row> {
  service: ServiceName;
  source: ActivitySource;
  /** Select list for a row `r`, and its joins. */
  row: string;
  joins?: string;
  entry: (row: Row & { key: string; at: string }) => ActivityEntry;
}

const NOBODY = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The user whose rows with an audience are shown; null for all of them. */
const viewerOf = ({ role, userId }: Ctx): string | null => (roleAtLeast(role, 'ADMIN') ? null : (userId ?? NOBODY));

interface Watch {
  until: number;
  notedAt: number;
}

/** Changed rows of a Space. */
interface TakenChanges {
  spaceId: string;
  keys: string[];
  /** How often they could not be read. */
  failed: number;
}

interface OwnerDeps {
  database: Database;
  bus: Bus;
  workers: Workers;
  retention: Retention;
  metrics: Metrics;
}

/** One kind of activity at the service that owns it: its list, its counters, and its live changes. */
export class ActivityOwner<Row> {
  private readonly watches = new Map<string, Watch>();
  /** Taken out of the database, and not read yet. */
  private unread: TakenChanges[] = [];
  private readonly published;
  private wakePublishing: () => void = () => undefined;

  constructor(
    private readonly deps: OwnerDeps,
    private readonly owned: OwnedActivity<Row>,
  ) {
    this.published = deps.metrics.counter(
      'switchyard_activity_changes_published_total',
      'Changed rows of watched Spaces that were published.',
    );
    deps.metrics.gauge('switchyard_activity_watched_spaces', 'Spaces whose activity is watched.', [], (gauge) => {
      gauge.set(this.watches.size);
    });
  }

  begin(): void {
    const { database, workers, retention } = this.deps;
    const fold = async (): Promise<Polled> => {
      const folded = await activityCounters.foldDeltas(database, FOLD_AT_ONCE);
      return folded === FOLD_AT_ONCE || (folded > 0 && 'soon');
    };
    workers.poll('add up activity counters', FOLD_EVERY_MS, fold, database.idlePoller.for(anyActivityDeltas));
    this.wakePublishing = workers.poll('publish changed activity', TICK_MS, () => this.publishChanges());
    const endOld = async (): Promise<Polled> => {
      await activityChanges.endOld(database);
      return false;
    };
    workers.poll('end old watches', RENEW_AFTER_MS, endOld, database.idlePoller.for(anyOldWatches));
    retention.register('activity counters', (tx, limit) => activityCounters.deleteSpent(tx, limit));
  }

  async list(ctx: Ctx, slice: ActivitySlice): Promise<Items<ActivityEntry>> {
    const userId = this.readableUser(ctx, slice.userId);
    if (userId === undefined) return { items: [] };
    const query = {
      spaceId: requireSpace(ctx),
      statuses: slice.statuses,
      limit: slice.limit,
      userId,
      viewer: viewerOf(ctx),
      from: slice.from ?? null,
      to: slice.to ?? null,
      before: slice.beforeAt && slice.beforeKey ? { at: slice.beforeAt, key: slice.beforeKey } : null,
    };
    const [rows = []] = await this.deps.database.read(ctx, [listActivity(this.owned.source, this.owned, query)]);
    return { items: rows.map((row) => this.owned.entry(row as Row & { key: string; at: string })) };
  }

  async count(ctx: Ctx, { from, to }: ActivityRange): Promise<Items<StatusCount>> {
    const owner = this.readableUser(ctx, undefined) ?? null;
    const range = { from: from ?? null, to: to ?? null };
    const spaceId = requireSpace(ctx);
    const { source } = this.owned;
    const viewer = viewerOf(ctx);
    const hidden =
      source.audience === undefined || viewer === null
        ? []
        : [activityCounters.countHidden(source, source.audience, { spaceId, viewer }, range)];
    const [rows = [], others = []] = await this.deps.database.read(ctx, [
      activityCounters.count(spaceId, owner, range),
      ...hidden,
    ]);
    const unseen = new Map(others.map((row) => [row['status'], Number(row['count'])]));
    return {
      items: (rows as unknown as StatusCount[])
        .map(({ status, count }) => ({ status, count: count - (unseen.get(status) ?? 0) }))
        .filter(({ count }) => count > 0),
    };
  }

  /** A watch that begins with a call has missed nothing: its stream opens after the reply. */
  async onWatched(spaces: WatchedSpaces): Promise<void> {
    await this.note(spaces);
  }

  /** Says so if the watch had ended: the service was away, or could not write, for longer than a watch lasts. */
  async onStillWatched(spaces: WatchedSpaces): Promise<void> {
    const missed = await this.note(spaces);
    if (missed.length > 0) this.publish([], missed);
  }

  /** Gives the Spaces whose changes were not recorded until now. */
  private async note({ spaceIds }: WatchedSpaces): Promise<string[]> {
    const now = Date.now();
    const due = spaceIds.filter((id) => now - (this.watches.get(id)?.notedAt ?? 0) > RENEW_AFTER_MS);
    const begun = due.length > 0 ? await activityChanges.watch(this.deps.database, due, WATCH_SECONDS) : [];
    if (this.watches.size === 0) this.wakePublishing();
    for (const id of spaceIds) {
      const notedAt = due.includes(id) ? now : (this.watches.get(id)?.notedAt ?? now);
      this.watches.set(id, { until: now + WATCH_SECONDS * 1000, notedAt });
    }
    return begun;
  }

  /** The requested owner; null: all, undefined: another user, whose rows the caller may not see. */
  private readableUser(ctx: Ctx, userId: string | undefined): string | null | undefined {
    if (this.owned.source.owner === null || roleAtLeast(ctx.role, 'ADMIN')) return userId ?? null;
    if (ctx.userId === null || (userId !== undefined && userId !== ctx.userId)) return undefined;
    return ctx.userId;
  }

  /** Says whether there may be more. Asks the database for nothing while no Space is watched. */
  private async publishChanges(): Promise<Polled> {
    const now = Date.now();
    for (const [id, { until }] of this.watches) if (until < now) this.watches.delete(id);
    if (this.watches.size === 0) return false;
    const { database } = this.deps;
    const taken = await activityChanges.take(database, [...this.watches.keys()], CHANGES_A_TICK);
    const due = [...this.unread.splice(0), ...bySpace(taken)];
    const changes: ChangedEntry[] = [];
    const failures: unknown[] = [];
    const missed: string[] = [];
    for (const { spaceId, keys, failed } of due) {
      try {
        const read = readActivity(this.owned.source, this.owned, spaceId, keys);
        const [rows = []] = await database.writeInSpace(spaceId, [read]);
        for (const row of rows)
          changes.push({ spaceId, entry: this.owned.entry(row as Row & { key: string; at: string }) });
      } catch (error) {
        failures.push(error);
        // They are no longer in the table. Rows that can never be read must not hold up other Spaces.
        if (failed < READ_AGAIN) this.unread.push({ spaceId, keys, failed: failed + 1 });
        else missed.push(spaceId);
      }
    }
    this.publish(changes, missed);
    if (failures.length > 0) throw new Error('failed to read changed activity', { cause: failures[0] });
    return taken.length >= CHANGES_A_TICK || 'soon';
  }

  private publish(changes: readonly ChangedEntry[], missed: readonly string[]): void {
    const ctx = serviceCtx(this.owned.service);
    for (let from = 0; from < changes.length; from += ENTRIES_A_MESSAGE)
      this.deps.bus.signal(ActivitySignals.changed, ctx, { changes: changes.slice(from, from + ENTRIES_A_MESSAGE) });
    for (let from = 0; from < missed.length; from += SPACES_A_MESSAGE)
      this.deps.bus.signal(ActivitySignals.changed, ctx, {
        changes: [],
        missed: missed.slice(from, from + SPACES_A_MESSAGE),
      });
    this.published.inc({}, changes.length);
  }
}

function bySpace(changed: readonly { spaceId: string; id: string }[]): TakenChanges[] {
  const spaces = new Map<string, TakenChanges>();
  for (const { spaceId, id } of changed) {
    const cached = spaces.get(spaceId);
    if (cached) cached.keys.push(id);
    else spaces.set(spaceId, { spaceId, keys: [id], failed: 0 });
  }
  return [...spaces.values()];
}
