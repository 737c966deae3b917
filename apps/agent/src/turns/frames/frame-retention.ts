import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '@switchyard/database';
import { type Polled } from '@switchyard/concurrency';
import { sleep } from '@switchyard/kernel';
import { FRAMES_RETENTION_HOURS, FrameLog } from '@switchyard/messaging';
import { Logger, Metrics, Retention, SpaceUseCounter, Workers } from '@switchyard/service';
import { AgentConfig } from '../../agent.config';
import { type FramesWritten, StoredFramesRepository } from '../../db/stored-frames.repository';
import { FrameUsage, type SpaceFrames } from './frame-usage';

const ROUND_MS = 1_000;
/** A Space is looked at when it has written this part of its bound, and then freed by as much more than it must be. */
const STEP_OF_LIMIT = 64;
const SPARE_OF_LIMIT = 16;
/** A running turn is cut by pieces of this part: small, since a Space may run hundreds of turns. */
const SEGMENT_OF_LIMIT = 1024;
/** Turns of a Space whose frames are removed before it is the next Space's turn. */
const TURNS_AT_ONCE = 32;
const ROWS_AT_ONCE = 500;

/**
 * Keeps the frames of each Space within its bound: the turns that were written longest ago lose theirs first, running
 * ones last. Each process counts what it writes; the sums are in the database, so they outlive it and replicas share
 * them. A process that is killed forgets less than one step of a Space.
 */
@Injectable()
export class FrameRetention implements OnModuleInit {
  private readonly open = new Set<FrameUsage>();
  private readonly spaces = new Map<string, SpaceFrames>();
  private freed = 0;
  private writing = Promise.resolve();
  private wake: () => void = () => undefined;

  constructor(
    private readonly config: AgentConfig,
    private readonly database: Database,
    private readonly storedFrames: StoredFramesRepository,
    private readonly log: FrameLog,
    private readonly logger: Logger,
    private readonly retention: Retention,
    private readonly workers: Workers,
    private readonly use: SpaceUseCounter,
    metrics: Metrics,
  ) {
    metrics.bounded(
      {
        name: 'switchyard_frames_stored_bytes',
        help: 'Bytes of stored frames of turns, of the Space that has most.',
        measures: ['used', 'limit', 'removed'],
      },
      (set) =>
        set({
          used: [...this.spaces.values()].reduce((most, { storedBytes }) => Math.max(most, storedBytes), 0),
          limit: this.limit,
          removed: this.freed,
        }),
    );
    metrics.bounded(
      {
        name: 'switchyard_frames_waiting_bytes',
        help: 'Bytes of frames that JetStream has not stored yet.',
        measures: ['used', 'limit', 'refused'],
      },
      (set) => set(log.waiting),
    );
  }

  onModuleInit(): void {
    this.wake = this.workers.poll('keep frames within their bound', ROUND_MS, (signal) => this.round(signal));
    this.retention.register('counts of frames', (tx, limit) => this.storedFrames.removeExpired(tx, limit));
  }

  /** For a stretch of a turn that this process begins. `isNew`: no frame of the turn was written before. */
  count(spaceId: string, key: string, isNew: boolean): FrameUsage {
    let space = this.spaces.get(spaceId);
    if (!space)
      this.spaces.set(spaceId, (space = { id: spaceId, usedAt: 0, unchecked: 0, storedBytes: 0, isOver: false }));
    space.usedAt = Date.now();
    const use = new FrameUsage(key, space, this.limit / SEGMENT_OF_LIMIT, isNew, (frames) => {
      this.use.add('frames', spaceId, frames);
    });
    if (this.open.size === 0) this.wake();
    this.open.add(use);
    return use;
  }

  /** Writes what all turns have counted. */
  writeAll(): Promise<void> {
    return this.write([...this.open]);
  }

  /** The frames of a turn that may not be kept. */
  async drop(spaceId: string, key: string): Promise<void> {
    await this.log.remove(key);
    await this.database.inSpace(spaceId, (tx) => this.storedFrames.remove(tx, spaceId, [key]));
  }

  private get limit(): number {
    return this.config.FRAMES_MAX_BYTES_PER_SPACE;
  }

  private isDue({ unchecked }: SpaceFrames): boolean {
    return unchecked >= this.limit / STEP_OF_LIMIT;
  }

  /** Answers whether there is more to do at once. A Space with much to remove does not keep the others waiting. */
  private async round(signal: AbortSignal): Promise<Polled> {
    // Frames written from here on belong to the next round: the write below may miss them.
    const due = [...this.spaces.values()]
      .filter((space) => this.isDue(space))
      .map((space) => ({ space, unchecked: space.unchecked }));
    await this.write([...this.open].filter((use) => !use.isCounted || this.isDue(use.space)));
    for (const { space, unchecked } of due) {
      if (signal.aborted) return false;
      await this.free(space);
      if (!space.isOver) space.unchecked -= unchecked;
    }
    this.removeIdle();
    return due.some(({ space }) => space.isOver) || (this.open.size > 0 && 'soon');
  }

  private removeIdle(): void {
    const before = Date.now() - FRAMES_RETENTION_HOURS * 3_600_000;
    for (const { id, usedAt } of this.spaces.values()) if (usedAt < before) this.spaces.delete(id);
  }

  /** One write at a time: frames counted meanwhile go into the next one. */
  private write(uses: readonly FrameUsage[]): Promise<void> {
    this.writing = this.writing
      .catch(() => undefined)
      .then(async () => {
        for (let at = 0; at < uses.length; at += ROWS_AT_ONCE) await this.writeSome(uses.slice(at, at + ROWS_AT_ONCE));
      });
    return this.writing;
  }

  private async writeSome(uses: readonly FrameUsage[]): Promise<void> {
    const counted = uses.map((use) => ({ use, bytes: use.unwritten, isRunning: use.isRunning }));
    const rows = new Map<string, FramesWritten>();
    // A turn that paused and goes on here has two counts; how it stands, the later one says.
    for (const { use, bytes, isRunning } of counted)
      rows.set(use.key, {
        spaceId: use.space.id,
        key: use.key,
        bytes: bytes + (rows.get(use.key)?.bytes ?? 0),
        isRunning,
      });
    if (rows.size === 0) return;
    await this.database.system('count kept frames', (tx) => this.storedFrames.add(tx, [...rows.values()]));
    for (const { use, bytes, isRunning } of counted) {
      use.unwritten -= bytes;
      if (use.isRunning !== isRunning) continue;
      use.isCounted = true;
      if (isRunning !== true && use.unwritten === 0) this.open.delete(use);
    }
  }

  /** Removes the oldest frames of a Space that is over its bound, some turns at a time. */
  private async free(space: SpaceFrames): Promise<void> {
    const target = this.limit - this.limit / SPARE_OF_LIMIT;
    space.storedBytes = await this.database.inSpace(space.id, (tx) => this.storedFrames.total(tx, space.id));
    space.isOver = space.storedBytes > (space.isOver ? target : this.limit);
    if (!space.isOver) return;
    const before = space.storedBytes;
    if (!(await this.removeOldest(space, target)))
      for (const use of this.open)
        if (space.storedBytes > target && use.space === space && use.canBeCut) await this.cut(use, target);
    const freed = before - space.storedBytes;
    this.freed += freed;
    // The rest belongs to small running turns, or to turns of other processes.
    space.isOver = freed > 0 && space.storedBytes > target;
    this.logger.debug(
      { spaceId: space.id, freed, kept: space.storedBytes },
      'dropped frames above the limit of a Space',
    );
  }

  /** The frames go before their count does: a process that dies in between removes them a second time. */
  private async removeOldest(space: SpaceFrames, target: number): Promise<boolean> {
    const oldest = await this.database.inSpace(space.id, (tx) =>
      this.storedFrames.listOldest(tx, space.id, TURNS_AT_ONCE),
    );
    const removed: string[] = [];
    for (const { key, bytes } of oldest) {
      if (space.storedBytes <= target) break;
      // Nothing but this turn is left: its end is what somebody may still read.
      if (bytes >= space.storedBytes) {
        await this.cutEnded(space, key, target);
        break;
      }
      const begunAt = performance.now();
      await this.log.remove(key);
      removed.push(key);
      space.storedBytes -= bytes;
      // The stream stores nothing while it removes: at least half of the time is for those who write.
      await sleep(performance.now() - begunAt);
    }
    if (removed.length > 0)
      await this.database.inSpace(space.id, (tx) => this.storedFrames.remove(tx, space.id, removed));
    return oldest.length > 0;
  }

  private async cutEnded(space: SpaceFrames, key: string, target: number): Promise<void> {
    await this.log.removeShare(key, 1 - target / space.storedBytes);
    space.storedBytes -= await this.database.inSpace(space.id, (tx) =>
      this.storedFrames.shrink(tx, space.id, key, target),
    );
  }

  /** Only the process that holds a running turn cuts it, since it alone knows where. */
  private async cut(use: FrameUsage, target: number): Promise<void> {
    const { space, unwritten } = use;
    const rest = use.segments.cut(space.storedBytes - target);
    use.hasEarlier = false;
    // Its last message tells the next holder how far the turn has come.
    await this.log.remove(use.key, Math.max(1, rest.messages));
    const freed = await this.database.inSpace(space.id, (tx) =>
      this.storedFrames.shrink(tx, space.id, use.key, Math.max(0, rest.bytes - unwritten)),
    );
    space.storedBytes -= freed;
  }
}
