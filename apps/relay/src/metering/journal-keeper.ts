import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Database } from '@switchyard/database';
import { backoffMs, sleep } from '@switchyard/kernel';
import { Logger, Metrics, Workers } from '@switchyard/service';
import { type Due, LedgerBatchRepository } from '../db/ledger-batch.repository';
import { ReservationsRepository } from '../db/reservations.repository';
import type { EndedProcess, FoundSegment, JournalFolder } from '../journal/journal-folder';
import { LocalJournal } from '../journal/local-journal';
import { RelayConfig } from '../relay.config';
import { LedgerWriter } from './ledger-writer';
import { UNEXPLAINED_ATTEMPTS, isRefusal, isUnavailable } from './settlement-store';

const AT_ONCE = 256;
/** If so many entries fail, the reason is not in them, and the rest is not tried. */
const FAILURES = 256;
const LOOK_AGAIN_MS = 200;
/** Two relays that start together may keep each other from the folder. */
const LOCK_ATTEMPTS = 6;
const LOCK_AGAIN = { baseMs: 50, maxMs: 400 };
/** A heartbeat, and a stop, wait no longer for the folder: its disk may hang. */
const FOLDER_LIMIT_MS = 1_000;

const OTHER_IS_ALIVE =
  'the journal of settlements is closed while another relay of this database is alive; answers wait for the database';

const IN_USE = 'another process uses the folder of the journal of settlements; answers wait for the database';

interface OtherRelays {
  relays: number;
  hasJournal: boolean;
}

/** Entries of an ended relay that the ledger refuses, and errors of those that are tried again. */
interface Unbooked {
  refused: string[];
  failures: unknown[];
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
  /** It books the journals of ended relays before it takes work: others that start wait for that, as for a journal. */
  private isStarting = false;
  /** Since it has locked the folder: until it unlocks it, no other process can leave something there. */
  private isReplayed = false;
  /** As it was when the folder was replayed last. */
  private identity = '';
  /** Files of other databases that were counted and logged: they stay in the folder. */
  private readonly foreign = new Set<string>();
  private looking: Promise<void> | null = null;
  /** It has a folder, and no other relay was alive when it looked last. */
  private isExpected = false;
  private writing: Promise<void> = Promise.resolve();
  /** Since the journal was last open. */
  private readonly warned = new Set<string>();
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
    metrics.gauge(
      'switchyard_relay_journal_expected',
      'Whether the journal should be open: the relay has a folder, and no other relay of the database is alive.',
      [],
      (gauge) => gauge.set(this.isExpected ? 1 : 0),
    );
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
    await this.journal.checkFiles();
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
    this.isExpected = isAlone;
    if (isOpen && !(isAlone && (await folder.isIntact()))) await this.close(isAlone);
    else if (!isOpen && isAlone) await this.open(folder);
    else if (!isOpen) {
      this.warnOnce(OTHER_IS_ALIVE);
      if (!this.isReplayed && (await this.lock(folder))) await this.replay(folder);
    }
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
    const { folder } = this.journal;
    // Entries of an ended process are exact from the first answer on.
    if (folder) await this.replayFirst(folder);
    await this.write();
    while ((await this.others()).hasJournal) {
      this.warnOnce('waiting until another relay of this database has closed its journal of settlements, or is dead');
      await sleep(LOOK_AGAIN_MS);
      await this.write();
    }
    await this.beat();
  }

  private async replayFirst(folder: JournalFolder): Promise<void> {
    this.isStarting = true;
    try {
      await this.write();
      for (let attempt = 1; !(await this.lock(folder)); attempt += 1) {
        if (attempt === LOCK_ATTEMPTS) return;
        await sleep(backoffMs(attempt, LOCK_AGAIN));
      }
      await this.replay(folder);
    } finally {
      this.isStarting = false;
    }
  }

  private async open(folder: JournalFolder): Promise<void> {
    if (!(await this.lock(folder, IN_USE)) || !(await this.replay(folder)) || !this.mayOpen()) return;
    this.isOpening = true;
    try {
      await this.write();
      if ((await this.others()).relays === 0 && this.mayOpen()) this.journal.open(this.identity);
    } finally {
      this.isOpening = false;
    }
    if (!this.journal.isOpen) return this.write();
    this.warned.clear();
    this.logger.info({ folder: folder.path }, 'settlements are written to the journal first');
  }

  private mayOpen(): boolean {
    return !this.isStopping;
  }

  private async close(isAlone: boolean): Promise<void> {
    await this.journal.close();
    this.warnOnce(
      isAlone
        ? 'the folder of the journal of settlements was removed, or its disk hangs; answers wait for the database'
        : OTHER_IS_ALIVE,
    );
    if (isAlone) {
      this.isReplayed = false;
      await this.journal.folder?.unlock();
    }
    await this.ledgerWriter.settlements.flushed();
    await this.write();
  }

  private async lock(folder: JournalFolder, warning?: string): Promise<boolean> {
    try {
      const isLocked = await folder.lock();
      if (!isLocked && warning !== undefined) this.warnOnce(warning);
      return isLocked;
    } catch (error) {
      this.warnOnce('failed to use the folder of the journal of settlements; answers wait for the database', {
        err: error,
      });
      return false;
    }
  }

  /**
   * Books the entries that ended processes have left. False if some could not be read or kept. Throws if some could not
   * be booked, after it has tried the others.
   */
  private async replay(folder: JournalFolder): Promise<boolean> {
    this.identity = await this.readIdentity();
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
    const failures: unknown[] = [];
    for (const found of processes) {
      const ended = this.ofThisDatabase(found);
      if (!ended) continue;
      const { refused, failures: failed } = await this.bookEnded(ended);
      failures.push(...failed);
      if (failures.length >= FAILURES) break;
      if (failed.length > 0) continue;
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
    if (failures.length > 0) throw failures[0];
    this.isReplayed = isComplete;
    return isComplete;
  }

  /**
   * Without the files of other databases, which it leaves as they are: when their own database is back, its relay books
   * them. Null if there are no others.
   */
  private ofThisDatabase({ holder, segments }: EndedProcess): EndedProcess | null {
    const isOwn = ({ database }: FoundSegment): boolean => database === null || database === this.identity;
    const foreign = segments.filter((segment) => !isOwn(segment));
    for (const segment of foreign) if (!this.foreign.has(segment.path)) this.reportForeign(segment);
    return foreign.length > 0 && foreign.length === segments.length
      ? null
      : { holder, segments: segments.filter(isOwn) };
  }

  private reportForeign({ path, database, entries, damaged }: FoundSegment): void {
    this.foreign.add(path);
    this.ledgerWriter.settlements.countSetAside(entries.length + damaged.length);
    this.logger.error(
      { file: path, entries: entries.length, writtenFor: database, identity: this.identity },
      'a file of the journal was written for another database; it stays in its folder, and its calls are not booked',
    );
  }

  private async bookEnded({ holder, segments }: EndedProcess): Promise<Unbooked> {
    const entries = segments.flatMap((segment) => segment.entries);
    const damaged = segments.flatMap((segment) => segment.damaged);
    const unbooked: Unbooked = { refused: [], failures: [] };
    for (let at = 0; at < entries.length && unbooked.failures.length < FAILURES; at += AT_ONCE)
      await this.bookGroup(holder, entries.slice(at, at + AT_ONCE), unbooked);
    if (entries.length > 0 && unbooked.failures.length === 0) {
      const booked = entries.length - unbooked.refused.length;
      this.replayed.inc(booked);
      this.logger.info({ holder, entries: booked }, 'booked the journal of an ended relay');
    }
    return { ...unbooked, refused: [...damaged, ...unbooked.refused] };
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

  private async bookGroup(holder: string, entries: readonly string[], unbooked: Unbooked): Promise<void> {
    try {
      const settled = entries.map((entry) => JSON.parse(entry) as Due);
      const { accounts } = await this.ledger.book(this.database, holder, { settled });
      // Of a Space without an account, nothing is booked: the entries may be those of another database.
      unbooked.refused.push(...entries.filter((_, index) => !accounts.has(settled[index]?.spaceId ?? '')));
    } catch (error) {
      if (isUnavailable(error)) throw error;
      const [entry = ''] = entries;
      if (entries.length > 1) for (const each of entries) await this.bookGroup(holder, [each], unbooked);
      else if (isRefusal(error) || error instanceof SyntaxError || this.countAttempt(entry) >= UNEXPLAINED_ATTEMPTS)
        unbooked.refused.push(entry);
      // The next start or heartbeat repeats it.
      else unbooked.failures.push(error);
    }
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
        const hasJournal =
          this.isStarting || this.journal.isOpen || this.isOpening || this.ledgerWriter.settlements.unbooked > 0;
        await this.database.systemWrite('relay heartbeat', [this.reservations.beat(this.journal.holder, hasJournal)]);
      });
    return this.writing;
  }

  private async readIdentity(): Promise<string> {
    const [[row] = []] = await this.database.systemRead('read the identity of the database', [
      this.reservations.identity(),
    ]);
    if (!row) throw new Error('the table database_identity has no row');
    return (row as unknown as { identity: string }).identity;
  }

  private async others(): Promise<OtherRelays> {
    const { RELAY_DEAD_AFTER_SECONDS: silent } = this.config;
    const [[row] = []] = await this.database.systemRead('look for other relays', [
      this.reservations.others(this.journal.holder, silent),
    ]);
    return row as unknown as OtherRelays;
  }

  private warnOnce(text: string, details: object = {}): void {
    if (!this.warned.has(text)) this.logger.warn(details, text);
    this.warned.add(text);
  }
}
