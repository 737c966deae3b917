import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Database } from '@switchyard/database';
import { sleep } from '@switchyard/kernel';
import { Logger, Metrics, Workers } from '@switchyard/service';
import { type Due, LedgerBatchRepository } from '../db/ledger-batch.repository';
import { ReservationsRepository } from '../db/reservations.repository';
import type { EndedProcess, JournalFolder, FoundSegment } from '../journal/journal-folder';
import { LocalJournal } from '../journal/local-journal';
import { RelayConfig } from '../relay.config';
import { LedgerWriter } from './ledger-writer';
import { UNEXPLAINED_ATTEMPTS, isRefusal, isUnavailable } from './settlement-store';

const AT_ONCE = 256;
const LOOK_AGAIN_MS = 200;
/** A heartbeat, and a stop, wait no longer for the folder: its disk may hang. */
const FOLDER_LIMIT_MS = 1_000;

const OTHER_IS_ALIVE =
  'the journal of settlements is closed while another relay of this database is alive; answers wait for the database';

interface OtherRelays {
  relays: number;
  hasJournal: boolean;
}

/**
 * Opens and closes this relay's journal, and books the journals of relays that have ended.
 *
 * Only one relay of a database may have an open journal, and only while no other one is alive: an answer about usage
 * includes the entries of its own relay, not those of another. Before a relay takes work, it writes its heartbeat and
 * then waits until no other one has a journal. A relay with a folder says that it has a journal and then looks for
 * others: so at least one of the two sees the other.
 */
@Injectable()
export class JournalKeeper implements OnModuleInit, OnApplicationShutdown {
  private isStopping = false;
  /** It has said that it has a journal, and looks whether it may. */
  private isOpening = false;
  private looking: Promise<void> | null = null;
  private writing: Promise<void> = Promise.resolve();
  /** Since the journal was last open. */
  private lastWarning: string | undefined;
  private readonly replayed;
  /** Of entries that could not be booked, for no reason in their values. */
  private readonly attempts = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly reservations: ReservationsRepository,
    private readonly ledger: LedgerBatchRepository,
    private readonly ledgerWriter: LedgerWriter,
    private readonly journal: LocalJournal,
    private readonly workers: Workers,
    private readonly config: RelayConfig,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.replayed = metrics.counter(
      'switchyard_relay_journal_replayed_total',
      'Entries of the journals of ended relays that were booked, or were in the ledger already.',
    );
  }

  onModuleInit(): void {
    this.workers.beforeStart('book the journal', () => this.start());
  }

  /** A heartbeat of this relay. Opens the journal if it may be open now, and closes it if it may not. */
  async beat(): Promise<void> {
    this.journal.checkFiles();
    const { folder } = this.journal;
    await this.write();
    if (!folder || this.isStopping || this.looking) return;
    this.looking = this.openOrClose(folder).finally(() => {
      this.looking = null;
    });
    // If it fails later than that, the next heartbeat tries again.
    this.looking.catch(() => undefined);
    await this.looked();
  }

  private async looked(): Promise<void> {
    await Promise.race([this.looking, sleep(FOLDER_LIMIT_MS)]);
  }

  private async openOrClose(folder: JournalFolder): Promise<void> {
    const { isOpen } = this.journal;
    const isAlone = (await this.others()).relays === 0;
    if (isOpen && !(isAlone && (await folder.isIntact()))) await this.close(isAlone);
    else if (!isOpen && isAlone) await this.open(folder);
    else if (!isOpen) this.warnOnce(OTHER_IS_ALIVE);
  }

  /** When it ends in order, nothing is left: neither entries nor a row of this relay. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.looked().catch(() => undefined);
    await this.ledgerWriter.onApplicationShutdown();
    await this.journal.close();
    // Calls that were broken off meanwhile.
    await this.ledgerWriter.returnReserved();
    await this.journal.folder?.unlock();
    if (this.ledgerWriter.settlements.unbooked > 0) return;
    await this.write()
      .then(() => this.database.system('leave', (tx) => this.reservations.leave(tx, this.journal.holder)))
      .catch(() => undefined);
  }

  private async start(): Promise<void> {
    await this.write();
    const { folder } = this.journal;
    // Entries of an ended process are exact from the first answer on.
    if (folder && (await this.lock(folder))) await this.replay(folder);
    await this.write();
    while ((await this.others()).hasJournal) {
      this.warnOnce('waiting until another relay of this database has closed its journal of settlements, or is dead');
      await sleep(LOOK_AGAIN_MS);
      await this.write();
    }
    await this.beat();
  }

  private async open(folder: JournalFolder): Promise<void> {
    if (!(await this.lock(folder)) || !(await this.replay(folder)) || !this.mayOpen()) return;
    this.isOpening = true;
    try {
      await this.write();
      if ((await this.others()).relays === 0 && this.mayOpen()) this.journal.open();
    } finally {
      this.isOpening = false;
    }
    if (!this.journal.isOpen) return this.write();
    this.lastWarning = undefined;
    this.logger.info({ folder: folder.path }, 'settlements are written to the journal first');
  }

  private mayOpen(): boolean {
    return !this.isStopping;
  }

  private async close(isAlone: boolean): Promise<void> {
    await this.journal.close();
    this.warnOnce(
      isAlone ? 'the folder of the journal of settlements was removed; answers wait for the database' : OTHER_IS_ALIVE,
    );
    if (isAlone) await this.journal.folder?.unlock();
    await this.ledgerWriter.settlements.flushed();
    await this.write();
  }

  private async lock(folder: JournalFolder): Promise<boolean> {
    try {
      const isLocked = await folder.lock();
      if (!isLocked)
        this.warnOnce('another process uses the folder of the journal of settlements; answers wait for the database');
      return isLocked;
    } catch (error) {
      this.warnOnce('failed to use the folder of the journal of settlements; answers wait for the database', {
        err: error,
      });
      return false;
    }
  }

  /** Books the entries that ended processes have left. False if some could not be read or kept. */
  private async replay(folder: JournalFolder): Promise<boolean> {
    let isComplete = true;
    const fail = (error: unknown, holder?: string): void => {
      isComplete = false;
      this.warnOnce('failed to read the journal of an ended relay; answers wait for the database', {
        err: error,
        holder,
      });
    };
    const processes = await folder
      .findEnded((holder, error) => {
        fail(error, holder);
      })
      .catch((error: unknown) => {
        fail(error);
        return [];
      });
    for (const ended of processes) {
      const refused: string[] = [];
      for (const segment of ended.segments) refused.push(...(await this.bookSegment(ended, segment)));
      try {
        await this.setAside(ended, refused);
      } catch (error) {
        fail(error, ended.holder);
        continue;
      }
      // Only now may others settle the calls that it has noted, and release what it has reserved.
      await this.database.system('end a relay', (tx) => this.reservations.end(tx, ended.holder));
      await folder.remove(ended).catch((error: unknown) => {
        fail(error, ended.holder);
      });
    }
    return isComplete;
  }

  /** Lines that cannot be booked. */
  private async bookSegment({ holder }: EndedProcess, { entries, damaged }: FoundSegment): Promise<string[]> {
    const refused = [...damaged];
    for (let at = 0; at < entries.length; at += AT_ONCE)
      refused.push(...(await this.bookGroup(holder, entries.slice(at, at + AT_ONCE))));
    if (entries.length > 0) {
      this.replayed.inc(entries.length + damaged.length - refused.length);
      this.logger.info({ holder, entries: entries.length }, 'booked the journal of an ended relay');
    }
    return refused;
  }

  private async setAside({ holder }: EndedProcess, refused: readonly string[]): Promise<void> {
    if (refused.length === 0) return;
    await this.journal.setAside(holder, refused);
    this.ledgerWriter.settlements.countSetAside(refused.length);
    this.logger.error(
      { holder, entries: refused.length },
      'entries of a journal cannot be read or booked; they were set aside in its folder, to be compared with the ledger',
    );
  }

  /** Entries that the ledger refuses. */
  private async bookGroup(holder: string, entries: readonly string[]): Promise<string[]> {
    try {
      const settled = entries.map((entry) => JSON.parse(entry) as Due);
      await this.ledger.book(this.database, holder, { settled });
      return [];
    } catch (error) {
      if (isUnavailable(error)) throw error;
      const [entry = ''] = entries;
      if (entries.length === 1) {
        // The start repeats it.
        if (!isRefusal(error) && !(error instanceof SyntaxError) && this.countAttempt(entry) < UNEXPLAINED_ATTEMPTS)
          throw error;
        return [entry];
      }
    }
    const refused: string[] = [];
    for (const entry of entries) refused.push(...(await this.bookGroup(holder, [entry])));
    return refused;
  }

  private countAttempt(entry: string): number {
    const attempts = (this.attempts.get(entry) ?? 0) + 1;
    this.attempts.set(entry, attempts);
    return attempts;
  }

  /** A heartbeat with whether this relay has a journal, one after the other: an older one must not be the last. */
  private write(): Promise<void> {
    this.writing = this.writing
      .catch(() => undefined)
      .then(async () => {
        const hasJournal = this.journal.isOpen || this.isOpening || this.ledgerWriter.settlements.unbooked > 0;
        await this.database.systemWrite('relay heartbeat', [this.reservations.beat(this.journal.holder, hasJournal)]);
      });
    return this.writing;
  }

  private async others(): Promise<OtherRelays> {
    const { RELAY_DEAD_AFTER_SECONDS: silent } = this.config;
    const [[row] = []] = await this.database.systemRead('look for other relays', [
      this.reservations.others(this.journal.holder, silent),
    ]);
    return row as unknown as OtherRelays;
  }

  private warnOnce(text: string, details: object = {}): void {
    if (this.lastWarning !== text) this.logger.warn(details, text);
    this.lastWarning = text;
  }
}
