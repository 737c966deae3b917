import {
  type Database,
  type LostWork,
  PROCESS,
  REQUESTS,
  RENEW_SECONDS,
  SILENT_SECONDS,
  type Read,
  type RunningWork,
  type Tx,
} from '@switchyard/database';
import { Ticks } from '@switchyard/concurrency';
import { newId, sleep, waitUntil } from '@switchyard/kernel';
import { Others, type Repeat, type Trials, type WaitOutside } from '@switchyard/messaging';
import { DatabaseSilenceDetector } from './database-silence-detector';
import type { Logger } from '../logger';
import { workerName } from '../workers/worker-name';

/** Requests wait no longer for the mark that they run beside lost work. */
const NOTED_WITHIN_MS = 1_000;
/** Longer than two renewals are apart, and with one more between them shorter than marks last. */
const LATE_MS = 15_000;
/** If work that lost its process ends it again, it mostly does so at once: this long, no other sort begins beside it. */
const FIRST_MS = 2_000;
const POLL_MS = 10;
/** Work whose losses are counted by its mark, and not by a lease. */
const MARKED = 'marked';

type Work = Omit<RunningWork, 'worker' | 'slot'>;

interface Suspect {
  sort: string;
  begunAt: number;
  /** Requests may run beside it. */
  hasCompany: boolean;
}

interface Active {
  /** Null while the statement is under way that marks what it finds. */
  work: Work | null;
  since: number;
}

/**
 * Marks of work in progress without a lease. They are written with the statements that fetch and finish the work, so
 * they cost no round trip. If the process ends without removing a mark, that work is lost.
 */
export class RunningWorkMarks {
  readonly worker = workerName();
  /** Whether marks that were not renewed for long say that their process has ended. */
  readonly silence = new DatabaseSilenceDetector({ lateMs: LATE_MS, leaseMs: SILENT_SECONDS * 1000 });
  private readonly active = new Map<string, Active>();
  /** Work in progress that lost its process before, and when it began. */
  private readonly suspects = new Set<Suspect>();
  /** The latest change of the mark for requests. */
  private noting: Promise<unknown> = Promise.resolve();
  private readonly renewals = new Ticks(RENEW_SECONDS * 1000, () => {
    void this.renew();
    return this.active.size > 0;
  });

  constructor(
    private readonly database: Database,
    private readonly losses: LostWork,
    private readonly logger: Logger,
    readonly trials: Trials,
  ) {}

  /** From now on, until the orderly stop: a process that ends in another way is known to be lost. */
  async beginProcess(): Promise<void> {
    const mark = this.begin({ slot: PROCESS, kind: PROCESS, ids: [newId()] });
    try {
      await this.database.systemWrite('mark a process as running', [mark]);
      this.silence.answered();
    } catch {
      // The next renewal makes it.
    }
  }

  /** To be sent before, or together with, the statement that reads the work. */
  begin(work: Omit<RunningWork, 'worker'>): Read {
    this.hold(work.slot, work);
    return this.losses.begin({ ...work, worker: this.worker });
  }

  /**
   * Before a statement is sent that makes the mark itself: from now on the slot is renewed, and never swept. Again,
   * with the work, once that is known: then a mark that is missing is made anew.
   */
  hold(slot: string, work: Work | null = null): void {
    this.active.set(slot, { work, since: performance.now() });
    this.renewals.begin();
  }

  /** With the statements that finish the work. If they are not committed, the mark stays and is renewed. */
  end(tx: Tx, slot: string): Promise<unknown> {
    tx.afterCommit(() => {
      this.drop(slot);
    });
    return tx.statement(this.losses.end({ worker: this.worker, slot }));
  }

  /** Nothing runs in the slot any more. If a mark stayed behind, the next renewals remove it. */
  drop(slot: string): void {
    this.active.delete(slot);
  }

  /** Never throws: a mark that could not be removed is swept later. */
  async release(slot: string): Promise<void> {
    if (!this.active.has(slot)) return;
    const end = this.losses.end({ worker: this.worker, slot });
    await this.database.systemWrite('end the mark of work', [end]).catch(() => undefined);
    this.drop(slot);
  }

  /**
   * Runs work that lost its process before, while fresh work waits. If requests run beside it, a mark says so: then this
   * work is not to blame for the end of the process. Which work of one `sort` runs together is decided where its losses are
   * counted; work of different sorts begins one after the other, as the losses of one do not see those of the other.
   * While it only waits for an answer from outside, others may run (`Trials`).
   */
  async alone<T>(work: (outside: WaitOutside) => Promise<T>, sort = MARKED): Promise<T> {
    const suspect: Suspect = { sort, begunAt: 0, hasCompany: false };
    const report = (others: number): Promise<unknown> | undefined => {
      const hasCompany = others > Others.none;
      if (!hasCompany && !suspect.hasCompany) return undefined;
      suspect.hasCompany = hasCompany;
      return Promise.race([this.noteRequests(), sleep(NOTED_WITHIN_MS)]);
    };
    const repeat: Repeat = { ageMs: Infinity, isBackground: true, report };
    await waitUntil(() => this.addIfClear(suspect), FIRST_MS, POLL_MS);
    this.suspects.add(suspect);
    await this.trials.enter(repeat);
    suspect.begunAt = performance.now();
    try {
      return await work((wait) => this.trials.outside(repeat, wait));
    } finally {
      this.trials.leave(repeat);
      this.suspects.delete(suspect);
      if (this.suspects.size === 0) await this.noteRequests();
    }
  }

  /** Registers it at once: two that wait must not both begin. */
  private addIfClear(suspect: Suspect): boolean {
    const since = performance.now() - FIRST_MS;
    for (const { sort, begunAt } of this.suspects) if (sort !== suspect.sort && begunAt > since) return false;
    suspect.begunAt = performance.now();
    this.suspects.add(suspect);
    return true;
  }

  /** Makes the mark that requests run beside such work, or removes it when they do not any more. */
  private noteRequests(): Promise<unknown> {
    const work = { slot: REQUESTS, kind: REQUESTS, ids: [] };
    this.noting = this.noting
      .then((): Promise<unknown> =>
        [...this.suspects].some(({ hasCompany }) => hasCompany)
          ? this.database.systemWrite('mark requests beside lost work', [this.begin(work)])
          : this.release(REQUESTS),
      )
      .catch((error: unknown) => {
        this.logger.warn({ err: error }, 'failed to mark that requests run beside lost work');
      });
    return this.noting;
  }

  /** Runs fresh work in the background, which waits while such work is alone. */
  async fresh<T>(work: () => Promise<T>): Promise<T> {
    const entered = this.trials.enter();
    if (entered) await entered;
    try {
      return await work();
    } finally {
      this.trials.leave();
    }
  }

  /** At an orderly stop, behind all work. */
  async endAll(): Promise<void> {
    this.renewals.stop();
    await this.losses.endAll(this.worker).catch(() => undefined);
  }

  async renew(): Promise<void> {
    const active = { worker: this.worker, slots: [...this.active.keys()] };
    try {
      const [renewed = []] = await this.database.systemWrite('renew the marks of work', [
        this.losses.renew(active),
        this.losses.sweep(active),
      ]);
      this.silence.answered();
      await this.restore(new Set(renewed.map((row) => row['slot'] as string)));
    } catch (error) {
      this.logger.warn({ err: error }, 'failed to renew the marks of work in progress');
    }
  }

  /** Marks that others took for those of a process that has ended, or that a crash of the database erased. */
  private async restore(renewed: ReadonlySet<string>): Promise<void> {
    const before = performance.now() - RENEW_SECONDS * 1000;
    const missing = [...this.active].flatMap(([slot, { work, since }]) =>
      // A younger one may be about to be committed, or to end.
      work === null || renewed.has(slot) || since > before ? [] : [{ ...work, slot, worker: this.worker }],
    );
    if (missing.length === 0) return;
    await this.database.systemWrite('restore the marks of work', missing.map(this.losses.restore));
  }
}
