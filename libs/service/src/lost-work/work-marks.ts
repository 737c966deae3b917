import { type Database, type LostWork, PROCESS, type Read, type RunningWork } from '@switchyard/database';
import { Ticks, newId } from '@switchyard/kernel';
import type { Logger } from '../logger';
import { workerName } from '../workers/worker-name';

const RENEW_MS = 10_000;

/**
 * What this process works on and has no lease for. The statements travel with those that fetch and finish the work, so
 * that a mark costs no round trip of its own. A process that ends without taking its marks back has lost that work.
 */
export class WorkMarks {
  readonly worker = workerName();
  private readonly active = new Set<string>();
  private readonly renewals = new Ticks(RENEW_MS, () => {
    void this.renew();
    return this.active.size > 0;
  });

  constructor(
    private readonly database: Database,
    private readonly lost: LostWork,
    private readonly logger: Logger,
  ) {}

  /** From now on, until the orderly stop: a process that ends in another way is known to be lost. */
  async beginProcess(): Promise<void> {
    const mark = this.begin({ slot: PROCESS, kind: PROCESS, ids: [newId()] });
    await this.database.systemWrite('mark a process as running', [mark]).catch(() => undefined);
  }

  /** To be sent before, or together with, what reads the work. */
  begin(work: Omit<RunningWork, 'worker'>): Read {
    this.hold(work.slot);
    return this.lost.begin({ ...work, worker: this.worker });
  }

  /** The mark is made in another way: it is renewed from now on. */
  hold(slot: string): void {
    this.active.add(slot);
    this.renewals.begin();
  }

  /** To be sent together with what finishes the work. */
  end(slot: string): Read {
    this.active.delete(slot);
    return this.lost.end({ worker: this.worker, slot });
  }

  /** Never throws: a mark that stays counts as a loss only when nobody renews it. */
  async release(slot: string): Promise<void> {
    await this.database.systemWrite('end the mark of work', [this.end(slot)]).catch(() => undefined);
  }

  /** At an orderly stop, behind all work. */
  async endAll(): Promise<void> {
    this.renewals.stop();
    await this.lost.endAll(this.worker).catch(() => undefined);
  }

  private async renew(): Promise<void> {
    if (this.active.size === 0) return;
    try {
      await this.database.systemWrite('renew the marks of work', [this.lost.renew(this.worker)]);
    } catch (error) {
      this.logger.warn({ err: error }, 'the marks of work could not be renewed');
    }
  }
}
