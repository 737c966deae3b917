import {
  type Database,
  type EndedStop,
  type MoveTimes,
  type Read,
  anyClockStopped,
  deleteOldMovedClocks,
  missedStops,
  moveClocks,
  type StoppedClock,
  startClocks,
  stopClocks,
  stoppedAfter,
} from '@switchyard/database';
import type { Polled } from '@switchyard/concurrency';
import type { SuspendedSpace, SuspendedSpaces } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import type { SpacePolicyCache } from '../known/space-policy-cache';
import type { Retention } from '../retention/retention';
import type { Workers } from '../workers/background-loops';

/** If it is missed that a Space was resumed, its clocks start after this long; later with more stops than a page. */
const POLL_MS = 3_000;
const SPACES_AT_ONCE = 500;
/** If a service is away for longer, the times of Spaces are not moved that were suspended and resumed meanwhile. */
const OUTAGE_MAX_MS = 14 * 24 * 3_600_000;

export interface ClockedRows {
  /** Spaces that have rows over their time, as `space_id`. */
  late: Read;
  /** Moves the times of the rows of a Space that is resumed. */
  moveTimes: readonly MoveTimes[];
}

interface Parts {
  database: Database;
  policies: SpacePolicyCache;
  workers: Workers;
  retention: Retention;
}

/**
 * The times of suspended Spaces stand still. The stop is in the database: nothing of the Space is claimed or ended
 * while it is there, and it is removed together with the change of the times.
 */
export class SpaceClocks {
  private readonly listeners: (() => void)[] = [];
  private wake: () => void = () => undefined;
  /** The last Space of the page before; null: the next page is the first one. */
  private comparedTo: string | null = null;
  /** Announcements may have been missed since the pages were compared last. */
  private isCatchingUp = true;
  /** How often announcements may have been missed. */
  private misses = 0;

  constructor(
    private readonly chunkedPayloads: Parts,
    private readonly rows: ClockedRows,
  ) {
    const { database, policies, workers, retention } = chunkedPayloads;
    retention.register('moved clocks', deleteOldMovedClocks);
    this.wake = workers.poll(
      'compare stopped clocks with suspended Spaces',
      POLL_MS,
      () => this.compare(),
      database.idlePoller.for(anyClockStopped),
    );
    policies.onChange((spaceId) => void this.review(spaceId).catch(this.wake));
    policies.onSuspended((spaceId, since) => void this.write([{ spaceId, since }]).catch(this.wake));
    policies.onDown(() => {
      this.comparedTo = null;
      this.isCatchingUp = true;
      this.misses += 1;
      this.wake();
    });
  }

  /** Times were moved: there may be rows to claim. */
  onStarted(listener: () => void): void {
    this.listeners.push(listener);
  }

  /**
   * Spaces with rows that are over their time and may be ended: none that is suspended, or of which nothing is known.
   * None at all until suspensions were looked for that this process may have missed: their times have to be moved.
   */
  async late(): Promise<string[]> {
    if (this.isCatchingUp) return [];
    const [rows = []] = await this.chunkedPayloads.database.systemRead('find late rows', [this.rows.late]);
    const spaces = rows.map(({ spaceId }) => spaceId as string);
    const statuses = await Promise.all(spaces.map((spaceId) => this.chunkedPayloads.policies.statusOf(spaceId)));
    const suspended = spaces.filter((_, at) => statuses[at] === 'SUSPENDED');
    if (suspended.length > 0) await this.stop(suspended);
    return spaces.filter((_, at) => statuses[at] === 'ACTIVE');
  }

  /** If the Space is suspended, its clocks stand from now on. */
  async stopIfSuspended(spaceId: string): Promise<void> {
    if ((await this.chunkedPayloads.policies.statusOf(spaceId)) === 'SUSPENDED') await this.stop([spaceId]);
  }

  /**
   * For a timer that was set when the row was claimed: the deadline may have moved since. False also while the Space is
   * suspended or nothing is known of it. `overTime` finds the row if its deadline has passed and its clock runs.
   */
  async isOverTime(spaceId: string, overTime: Read): Promise<boolean> {
    if (this.isCatchingUp || (await this.chunkedPayloads.policies.statusOf(spaceId)) !== 'ACTIVE') return false;
    const [rows = []] = await this.chunkedPayloads.database.systemRead('look at a deadline', [overTime]);
    return rows.length > 0;
  }

  private async stop(spaceIds: readonly string[]): Promise<void> {
    const { policies } = this.chunkedPayloads;
    await this.write(
      await Promise.all(spaceIds.map(async (spaceId) => ({ spaceId, since: await policies.suspendedAt(spaceId) }))),
    );
  }

  private async write(stops: readonly StoppedClock[]): Promise<void> {
    await this.chunkedPayloads.database.systemWrite('stop the clocks of suspended Spaces', stopClocks(stops));
    // The poll may have been idle.
    this.wake();
  }

  /**
   * After a change: what was known is forgotten, so the key service is asked. If it says SUSPENDED, the stop is
   * written.
   */
  private async review(spaceId: string): Promise<void> {
    if ((await this.chunkedPayloads.policies.statusOf(spaceId)) === 'ACTIVE') await this.start(spaceId, null);
  }

  /**
   * Compares a page of the stops with the Spaces that are suspended by now, both in the order of their ids, and mends
   * what differs. All pages in a row at the start and after the connection was broken, else one in each round.
   */
  private async compare(): Promise<Polled> {
    const { database, policies } = this.chunkedPayloads;
    const after = this.comparedTo;
    // Before the key service is asked: a stop that is written later may belong to a suspension that began later.
    const [rows = []] = await database.systemRead('find stopped clocks', [stoppedAfter(after, SPACES_AT_ONCE)]);
    const page = await policies.listSuspended(after).catch(nullIfUnavailable);
    if (page === null) return 'soon';
    const stopped = new Map(rows.map(({ spaceId, since }) => [spaceId as string, since as string] as const));
    const suspended = new Map(page.items.map(({ spaceId, suspendedAt }) => [spaceId, suspendedAt] as const));
    const lastOf = (spaces: ReadonlyMap<string, string>, isWhole: boolean): string[] =>
      isWhole ? [] : [...spaces.keys()].slice(-1);
    // Both are known as far as the shorter page goes.
    const [end = null] = [...lastOf(stopped, rows.length < SPACES_AT_ONCE), ...lastOf(suspended, !page.hasMore)].sort();
    const isCompared = ([spaceId]: readonly [string, string]): boolean => end === null || spaceId <= end;
    const missing = [...suspended].filter(isCompared).filter(([spaceId]) => !stopped.has(spaceId));
    if (missing.length > 0) await this.write(missing.map(([spaceId, since]) => ({ spaceId, since })));
    const resumed = [...stopped].filter(isCompared).filter(([spaceId]) => !suspended.has(spaceId));
    const failures: unknown[] = [];
    // One Space whose rows cannot be moved must not stop those behind it.
    for (const [spaceId, since] of resumed)
      await this.start(spaceId, since).catch((error: unknown) => failures.push(error));
    this.comparedTo = end;
    if (end === null && this.isCatchingUp && !(await this.catchUp())) return 'soon';
    if (failures.length > 0) throw failures[0];
    return this.isCatchingUp || ((after !== null || stopped.size + suspended.size > 0) && 'soon');
  }

  /** Suspensions that began and ended while this service was away. False while the key service is away. */
  private async catchUp(): Promise<boolean> {
    const { database, policies } = this.chunkedPayloads;
    const before = this.misses;
    const failures: unknown[] = [];
    const resumedAfter = new Date(Date.now() - OUTAGE_MAX_MS).toISOString();
    for (let after: string | null = null, hasMore = true; hasMore;) {
      const page: SuspendedSpaces | null = await policies.listResumed(resumedAfter, after).catch(nullIfUnavailable);
      if (page === null) return false;
      const stops: EndedStop[] = page.items.map(endedStopOf);
      const [rows = []] = await database.systemRead('find missed suspensions', [missedStops(stops)]);
      const missed = new Set(rows.map(({ spaceId }) => spaceId as string));
      const failed = new Set<string>();
      // In the order of their times: after a later suspension of a Space, an earlier one is not counted any more.
      for (const stop of stops.filter(({ spaceId }) => missed.has(spaceId)))
        if (!failed.has(stop.spaceId))
          await this.move(stop).catch((error: unknown) => {
            failed.add(stop.spaceId);
            failures.push(error);
          });
      after = stops.at(-1)?.spaceId ?? null;
      hasMore = page.hasMore;
    }
    // Not if announcements were missed again meanwhile.
    if (this.misses === before) this.isCatchingUp = false;
    if (failures.length > 0) throw failures[0];
    return true;
  }

  private async move(stop: EndedStop): Promise<void> {
    const [, moved = []] = await this.chunkedPayloads.database.systemWrite(
      'move the clocks of a Space',
      moveClocks(stop, this.rows.moveTimes),
    );
    if (moved.length > 0) for (const listener of this.listeners) listener();
  }

  private async start(spaceId: string, since: string | null): Promise<void> {
    const [, started = []] = await this.chunkedPayloads.database.systemWrite(
      'start the clocks of a Space',
      startClocks(spaceId, since, this.rows.moveTimes),
    );
    if (started.length > 0) for (const listener of this.listeners) listener();
  }
}

const endedStopOf = ({ spaceId, suspendedAt: since, resumedAt: until = since }: SuspendedSpace): EndedStop => ({
  spaceId,
  since,
  until,
});

/** While the key service is away, every stop stays. */
function nullIfUnavailable(error: unknown): null {
  if (error instanceof AppError && (error.code === 'SERVICE_UNAVAILABLE' || error.code === 'TIMEOUT')) return null;
  throw error;
}
