import { retry } from '@switchyard/concurrency';
import { sqlStateOf } from '@switchyard/database';
import { AppError, failpoint } from '@switchyard/kernel';
import type { Logger, Metrics } from '@switchyard/service';
import type { Due, Lease } from '../db/ledger-batch.repository';
import type { LocalJournal } from '../journal/local-journal';
import type { JournalSegment } from '../journal/settlement-journal';

export interface OwedSettlement {
  due: Due;
  /** Its part of the lease, which stays reserved until the settlement is booked. */
  lease?: Lease;
}

interface JournaledSettlement {
  owed: OwedSettlement;
  segment: JournalSegment;
  attempts: number;
  /** When it failed first. */
  failedAt?: number;
  onBooked: () => void;
}

const SETTLE_RETRY = { withinMs: 120_000, baseMs: 50, maxMs: 5_000 };
/** Settlements of the journal are booked together, so long after the first of them. */
const BOOK_AFTER_MS = 20;
const BOOK_RETRY_MAX_MS = 5_000;
const AT_ONCE = 1_024;
/** A settlement whose values the database refuses this often is set aside. */
const ATTEMPTS = 5;
/** The same for errors that say nothing about the values, for example a permission that is missing for a moment. */
export const UNEXPLAINED_ATTEMPTS = 20;
/** Reads and refused calls are attempts too: many of them must not use up the time in which such an error may pass. */
const UNEXPLAINED_MS = 60_000;

/**
 * Stores settlements. Without a journal, each waits until it is booked. With one, it waits until it is in the journal,
 * and is booked shortly afterwards, together with others.
 */
export class SettlementStore {
  /** Not in the journal, and not booked. */
  private waiting = 0;
  /** In the journal, and not booked. */
  private journaled: JournaledSettlement[] = [];
  private booking: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;
  /** Of those that are being booked, the ones that are neither booked nor set aside yet. */
  private inBatch = 0;
  private timer: NodeJS.Timeout | undefined;
  private failures = 0;
  private readonly fallbacks;
  private readonly setAside;

  constructor(
    private readonly book: (owed: OwedSettlement) => Promise<unknown>,
    private readonly journal: LocalJournal,
    private readonly logger: Logger,
    metrics: Metrics,
    private readonly now: () => number = () => performance.now(),
  ) {
    metrics.gauge('switchyard_relay_settlements_waiting', 'Ended calls whose cost is not booked yet.', [], (gauge) =>
      gauge.set(this.unsettled),
    );
    metrics.gauge(
      'switchyard_relay_journal_entries',
      'Settlements in the journal that are not booked yet.',
      [],
      (gauge) => gauge.set(this.unbooked),
    );
    metrics.gauge(
      'switchyard_relay_journal_open',
      'Whether settlements are written to the journal first.',
      [],
      (gauge) => gauge.set(journal.isOpen ? 1 : 0),
    );
    this.fallbacks = metrics.counter(
      'switchyard_relay_journal_fallbacks_total',
      'Settlements that waited for Postgres because the journal was full, or could not be written in time.',
    );
    this.setAside = metrics.counter(
      'switchyard_relay_journal_set_aside_total',
      'Entries of the journal that could not be read or booked, and were kept in a file.',
    );
  }

  /** Settlements that are not booked. */
  get unsettled(): number {
    return this.waiting + this.unbooked;
  }

  get unbooked(): number {
    return this.journaled.length + this.inBatch;
  }

  countSetAside(entries: number): void {
    this.setAside.inc(entries);
  }

  /** Resolves when the settlement outlives this process. `onBooked` is called when it is in the ledger. */
  async store(owed: OwedSettlement, onBooked: () => void): Promise<void> {
    this.waiting += 1;
    try {
      const segment = owed.due.entry && this.journal.isOpen ? await this.append(owed.due) : null;
      if (segment) {
        this.journaled.push({ owed, segment, attempts: 0, onBooked });
        this.timer ??= setTimeout(this.bookLater, BOOK_AFTER_MS);
        await failpoint('relay.journaled');
        return;
      }
      await this.bookAndWait(owed);
      onBooked();
    } finally {
      this.waiting -= 1;
    }
  }

  /** Books what is in the journal. Fails with 503 if the ledger cannot be written: a read would not be exact. */
  async flushed(): Promise<void> {
    for (let attempt = 1; this.unbooked > 0; attempt += 1)
      try {
        await this.bookJournaled();
        return;
      } catch (error) {
        // An entry that is refused is set aside after some attempts, and then delays no read.
        if (!isRefusal(error) || attempt > ATTEMPTS) throw unavailableBy(error);
      }
  }

  private async append(due: Due): Promise<JournalSegment | null> {
    const segment = await this.journal.append(JSON.stringify(due));
    if (!segment) this.fallbacks.inc();
    return segment;
  }

  private readonly bookLater = (): void => {
    void this.bookJournaled()
      .then(
        () => (this.failures = 0),
        () => (this.failures += 1),
      )
      .then(() => {
        const pauseMs = Math.min(BOOK_RETRY_MAX_MS, BOOK_AFTER_MS * 2 ** this.failures);
        // A read may be booking what was in the journal, and may fail.
        this.timer = this.unbooked > 0 ? setTimeout(this.bookLater, pauseMs) : undefined;
      });
  };

  /** A batch with all that is in the journal now: it begins when the running one has ended. */
  private bookJournaled(): Promise<void> {
    this.next ??= this.booking.then(async () => {
      this.next = undefined;
      const work = this.bookBatch();
      this.booking = work.catch(() => undefined);
      await work;
    });
    return this.next;
  }

  private async bookBatch(): Promise<void> {
    const batch = this.journaled;
    this.journaled = [];
    this.inBatch = batch.length;
    try {
      // While the database is away, the rest is not tried.
      while (batch.length > 0) await this.bookSome(batch);
    } finally {
      this.journaled = [...batch, ...this.journaled];
      this.inBatch = 0;
    }
  }

  /** Takes what is booked from the batch; throws if something is not. */
  private async bookSome(batch: JournaledSettlement[]): Promise<void> {
    const some = batch.splice(0, AT_ONCE);
    const results = await Promise.allSettled(some.map(({ owed }) => this.book(owed)));
    const failed: JournaledSettlement[] = [];
    let error: unknown;
    for (const [index, settlement] of some.entries()) {
      const result = results[index];
      if (result?.status !== 'rejected') this.release(settlement);
      else if (await this.shouldRetry(settlement, result.reason)) {
        failed.push(settlement);
        error = result.reason;
        continue;
      }
      this.inBatch -= 1;
    }
    batch.unshift(...failed);
    if (failed.length > 0) throw error;
  }

  private release({ segment, onBooked }: JournaledSettlement): void {
    this.journal.release(segment);
    onBooked();
  }

  /** False if the settlement was refused too often: then it is set aside. */
  private async shouldRetry(settlement: JournaledSettlement, error: unknown): Promise<boolean> {
    if (isBusy(error) || this.mayPass(settlement, error)) return true;
    const { due, lease } = settlement.owed;
    try {
      await this.journal.setAside(this.journal.holder, [JSON.stringify(due)]);
    } catch (keeping) {
      this.logger.error({ err: keeping, call: due.id }, 'failed to set a settlement aside; it stays in the journal');
      return true;
    }
    this.logger.error({ err: error, call: due.id }, 'failed to settle a model call; it was set aside');
    this.countSetAside(1);
    // Frees what it has reserved. If that fails, it stays reserved until this relay ends.
    await this.book({ due: { ...due, tokens: 0, entry: null }, lease }).catch(() => undefined);
    this.release(settlement);
    return false;
  }

  private mayPass(settlement: JournaledSettlement, error: unknown): boolean {
    settlement.attempts += 1;
    settlement.failedAt ??= this.now();
    if (isRefusal(error)) return settlement.attempts < ATTEMPTS;
    return settlement.attempts < UNEXPLAINED_ATTEMPTS || this.now() - settlement.failedAt < UNEXPLAINED_MS;
  }

  /** Settlements wait while the database is unavailable. If this process dies first, a sweeper settles the call. */
  private async bookAndWait(owed: OwedSettlement): Promise<void> {
    try {
      await retry(() => this.book(owed), { ...SETTLE_RETRY, shouldRetry: isBusy });
    } catch (error) {
      this.logger.error({ err: error, call: owed.due.id }, 'failed to settle a model call; the sweeper will retry');
    }
  }
}

/** Whether the database does not take the values, however often they are sent. A repeated key is no such case. */
export const isRefusal = (error: unknown): boolean => /^2[23](?!505)/u.test(sqlStateOf(error));

export const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE';

const unavailableBy = (error: unknown): unknown =>
  isUnavailable(error)
    ? error
    : new AppError('SERVICE_UNAVAILABLE', 'Calls that have ended cannot be booked yet. Try again in a moment.', {
        cause: error,
      });

const isBusy = (error: unknown): boolean =>
  isUnavailable(error) || (error instanceof AppError && error.code === 'CONFLICT');
