import {
  type Database,
  LostWork,
  type LostWorkPage,
  type LostWorkRow,
  type RetryOutcome,
  type EndedWorkers,
  type Tx,
} from '@switchyard/database';
import { type Polled } from '@switchyard/concurrency';
import { AppError } from '@switchyard/kernel';
import type { Trials } from '@switchyard/messaging';
import type { Logger } from '../logger';
import type { Metrics } from '../metrics';
import { isWorkerDead } from '../workers/worker-name';
import type { Workers } from '../workers/background-loops';
import { RunningWorkMarks } from './running-work-marks';

const SWEEP_MS = 2_000;
/** Alone, one after the other, as long as there is any. */
const ALONE_MS = 1_000;

export interface WorkKind {
  kind: string;
  /** Ends the work in its own failed state; gives its Space, or undefined where it is not there any more. */
  giveUp?: (tx: Tx, id: string) => Promise<{ spaceId: string | null } | undefined>;
  /** An operator wants it tried again. */
  retry?: (tx: Tx, row: LostWorkRow) => Promise<RetryOutcome>;
  /** Runs work of this kind that was lost once: nothing else of that sort runs beside it. */
  runAlone?: (id: string) => Promise<'ended' | 'later'>;
}

/**
 * Work that ended its process. It counts the losses of work that is marked as running, lets what was lost once run
 * alone, and gives up what was lost alone. Kinds with leases in rows of their own count there, and only tell what they
 * gave up.
 */
export class PoisonedWork {
  readonly lost: LostWork;
  readonly marks: RunningWorkMarks;
  private readonly kinds = new Map<string, WorkKind>();
  /** Begin the look for lost work of a kind at once. */
  private readonly wakes = new Map<string, () => void>();
  private readonly given;
  private readonly losses;

  constructor(
    private readonly database: Database,
    private readonly workers: Workers,
    metrics: Metrics,
    private readonly logger: Logger,
    trials: Trials,
  ) {
    this.lost = new LostWork(database);
    this.marks = new RunningWorkMarks(database, this.lost, logger, trials);
    this.losses = metrics.counter('switchyard_work_lost_total', 'Work whose process ended while it ran.', ['kind']);
    this.given = metrics.counter(
      'switchyard_work_given_up_total',
      'Work that was stopped because it had ended its process twice.',
      ['kind'],
    );
    metrics.gauge(
      'switchyard_poisoned_work',
      'Work that ended its process twice and waits until an operator retries it.',
      ['kind'],
      async (gauge) => {
        const counts = await this.lost.countGivenUp().catch(() => null);
        if (counts === null) return;
        gauge.reset();
        for (const { kind, count } of counts) gauge.set({ kind }, count);
      },
    );
    const poller = database.idlePoller.for(this.lost.anyRunningInOthers(this.marks.worker));
    workers.poll('count lost work', SWEEP_MS, () => this.sweep(), poller);
  }

  add(kind: WorkKind): void {
    this.kinds.set(kind.kind, kind);
    const { runAlone } = kind;
    if (runAlone) {
      const wake = this.workers.poll(
        `run lost ${kind.kind} alone`,
        ALONE_MS,
        () => this.runOneAlone(kind.kind, runAlone),
        this.database.idlePoller.for(this.lost.anySuspect(kind.kind)),
      );
      this.wakes.set(kind.kind, wake);
    }
  }

  /** Of a kind that counts its losses itself, in the transaction that ends the work. */
  async note(tx: Tx, rows: readonly Omit<LostWorkRow, 'at'>[]): Promise<void> {
    await this.lost.giveUp(tx, rows);
    for (const row of rows) this.report(row);
  }

  countLoss(kind: string, losses: number): void {
    if (losses > 0) this.losses.inc({ kind }, losses);
  }

  list(page: LostWorkPage): Promise<LostWorkRow[]> {
    return this.lost.listGivenUp(page);
  }

  /**
   * The rows that are tried again from now on; none where there is no such work. If the work is not there any more, its
   * row leaves the list. A refusal leaves all rows as they are.
   */
  retry(id: string): Promise<LostWorkRow[]> {
    return this.database.system('try given up work again', async (tx) => {
      const retried: LostWorkRow[] = [];
      for (const row of await this.lost.findGivenUp(tx, id)) {
        const retry = this.kinds.get(row.kind)?.retry;
        if (!retry) throw new AppError('CONFLICT', `Work of the kind ${row.kind} has no retry.`);
        // Forgotten first: work that runs again may note new losses.
        await this.lost.reset(tx, row.kind, row.id);
        const outcome = await retry(tx, row);
        if (outcome === 'refused')
          throw new AppError('CONFLICT', `The work of the kind ${row.kind} cannot be tried again as it is now.`);
        const { shownId, ...shown } = row;
        if (outcome === 'again') retried.push({ ...shown, id: shownId ?? row.id });
      }
      return retried;
    });
  }

  private async sweep(): Promise<Polled> {
    const { others, ended } = await this.database.system('count lost work', async (tx) => {
      const workers = await this.lost.workers(tx);
      const own = this.marks.worker;
      const endings = { ended: workers.filter(isWorkerDead), own, isSilenceLoss: this.marks.silence.mayCount() };
      return {
        others: workers.some((worker) => worker !== own),
        ended: workers.length > 0 ? await this.countLosses(tx, endings) : [],
      };
    });
    for (const row of ended) this.report(row);
    return others && 'soon';
  }

  private async countLosses(tx: Tx, workers: EndedWorkers): Promise<Omit<LostWorkRow, 'at'>[]> {
    const { counted, tooOften } = await this.lost.countLosses(tx, workers);
    for (const { kind, losses } of counted) {
      this.countLoss(kind, losses);
      tx.afterCommit(() => this.wakes.get(kind)?.());
    }
    const ended: Omit<LostWorkRow, 'at'>[] = [];
    for (const { kind, id, losses } of tooOften) {
      const giveUp = this.kinds.get(kind)?.giveUp;
      // Other work stays claimable; its losses are counted.
      if (!giveUp) continue;
      const work = await giveUp(tx, id);
      if (work === undefined) {
        await this.lost.reset(tx, kind, id);
        continue;
      }
      const row = { kind, id, spaceId: work.spaceId, losses };
      await this.lost.giveUp(tx, [row]);
      ended.push(row);
    }
    return ended;
  }

  /** The mark is made within the trial: work that waits for its turn is not to blame for the end of the process. */
  private async runOneAlone(kind: string, run: NonNullable<WorkKind['runAlone']>): Promise<Polled> {
    if (!(await this.hasSuspect(kind))) return false;
    return this.marks.alone(() => this.runSuspect(kind, run));
  }

  private async hasSuspect(kind: string): Promise<boolean> {
    const [rows = []] = await this.database.systemWrite('look for lost work', [this.lost.anySuspect(kind)]);
    return rows.length > 0;
  }

  private async runSuspect(kind: string, run: NonNullable<WorkKind['runAlone']>): Promise<Polled> {
    const slot = `alone ${kind}`;
    this.marks.hold(slot);
    try {
      const id = await this.database.system('take lost work', (tx) =>
        this.lost.takeSuspect(tx, kind, this.marks.worker, slot),
      );
      if (id === null) return (await this.hasSuspect(kind)) && 'soon';
      this.marks.hold(slot, { kind, ids: [id], isAlone: true });
      let outcome: 'ended' | 'later' = 'later';
      try {
        outcome = await run(id);
      } finally {
        await this.database.system('let go of lost work', async (tx) => {
          await this.marks.end(tx, slot);
          await (outcome === 'ended' ? this.lost.reset(tx, kind, id) : this.lost.putLast(tx, kind, id));
        });
      }
      return outcome === 'ended' || 'soon';
    } finally {
      this.marks.drop(slot);
    }
  }

  private report({ kind, id, shownId, spaceId, losses }: Omit<LostWorkRow, 'at'>): void {
    this.given.inc({ kind });
    this.logger.error({ kind, id: shownId ?? id, spaceId, losses }, 'failing work for good: it ended two processes');
  }
}
