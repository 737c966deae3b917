import {
  type Database,
  type MoveTimes,
  type Read,
  anyClockStopped,
  startClocks,
  stopClocks,
  stoppedSpaces,
} from '@switchyard/database';
import type { Polled } from '@switchyard/concurrency';
import type { SpacePolicies } from '../known/space-policies';
import type { Workers } from '../workers/workers';

/** If the news that a Space was resumed is missed, its clocks start after this long. */
const POLL_MS = 3_000;
const SPACES_AT_ONCE = 500;

export interface ClockedRows {
  /** Spaces that have rows over their time, as `space_id`. */
  late: Read;
  /** Moves the times of the rows of a Space that is resumed. */
  moveTimes: readonly MoveTimes[];
}

interface Parts {
  database: Database;
  policies: SpacePolicies;
  workers: Workers;
}

/**
 * The times of suspended Spaces stand still. The stop is in the database: nothing of the Space is claimed or ended while
 * it is there, and it is removed together with the change of the times.
 */
export class SpaceClocks {
  private readonly listeners: (() => void)[] = [];
  private wake: () => void = () => undefined;

  constructor(
    private readonly parts: Parts,
    private readonly rows: ClockedRows,
  ) {
    const { database, policies, workers } = parts;
    this.wake = workers.poll(
      'start the clocks of resumed Spaces',
      POLL_MS,
      () => this.startResumed(),
      database.lookouts.for(anyClockStopped),
    );
    policies.onChange((spaceId) => void this.review(spaceId).catch(this.wake));
  }

  /** Times were moved: there may be rows to claim. */
  onStarted(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Spaces with rows that are over their time and may be ended: none that is suspended, or of which nothing is known. */
  async late(): Promise<string[]> {
    const [rows = []] = await this.parts.database.systemRead('find late rows', [this.rows.late]);
    const spaces = rows.map(({ spaceId }) => spaceId as string);
    const statuses = await Promise.all(spaces.map((spaceId) => this.parts.policies.statusOf(spaceId)));
    const suspended = spaces.filter((_, at) => statuses[at] === 'SUSPENDED');
    if (suspended.length > 0) await this.stop(suspended);
    return spaces.filter((_, at) => statuses[at] === 'ACTIVE');
  }

  /** If the Space is suspended, its clocks stand from now on. */
  async stopIfSuspended(spaceId: string): Promise<void> {
    if ((await this.parts.policies.statusOf(spaceId)) === 'SUSPENDED') await this.stop([spaceId]);
  }

  /**
   * For a timer that was set when the row was claimed: the deadline may have moved since. False also while the Space is
   * suspended or nothing is known of it. `overTime` finds the row if its deadline has passed and its clock runs.
   */
  async isOverTime(spaceId: string, overTime: Read): Promise<boolean> {
    if ((await this.parts.policies.statusOf(spaceId)) !== 'ACTIVE') return false;
    const [rows = []] = await this.parts.database.systemRead('look at a deadline', [overTime]);
    return rows.length > 0;
  }

  private async stop(spaceIds: readonly string[]): Promise<void> {
    await this.parts.database.systemWrite('stop the clocks of suspended Spaces', [stopClocks(spaceIds)]);
    // The poll may have been idle.
    this.wake();
  }

  private async review(spaceId: string): Promise<void> {
    const status = await this.parts.policies.statusOf(spaceId);
    if (status === 'SUSPENDED') await this.stop([spaceId]);
    else if (status === 'ACTIVE') await this.start(spaceId);
  }

  private async startResumed(): Promise<Polled> {
    const stopped = await this.parts.database.system('find stopped clocks', (tx) => stoppedSpaces(tx, SPACES_AT_ONCE));
    const statuses = await Promise.all(stopped.map((spaceId) => this.parts.policies.statusOf(spaceId)));
    for (const [at, spaceId] of stopped.entries()) if (statuses[at] === 'ACTIVE') await this.start(spaceId);
    return stopped.length > 0 && 'soon';
  }

  private async start(spaceId: string): Promise<void> {
    const [started = []] = await this.parts.database.systemWrite('start the clocks of a Space', [
      startClocks(spaceId, this.rows.moveTimes),
    ]);
    if (started.length > 0) for (const listener of this.listeners) listener();
  }
}
