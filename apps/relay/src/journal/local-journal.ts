import { Injectable } from '@nestjs/common';
import { newId } from '@switchyard/kernel';
import { Logger } from '@switchyard/service';
import { RelayConfig } from '../relay.config';
import { JournalFolder } from './journal-folder';
import { type JournalSegment, type JournalState, SettlementJournal } from './settlement-journal';

const MB = 1024 * 1024;

/** The journal of this relay. Without RELAY_JOURNAL_FOLDER, it has no folder and never takes anything. */
@Injectable()
export class LocalJournal {
  /** This process, as the owner of reservations and of files. */
  readonly holder = newId();
  readonly folder: JournalFolder | null;
  private readonly file: SettlementJournal;

  constructor(
    { RELAY_JOURNAL_FOLDER: folder, RELAY_JOURNAL_MAX_MB: maxMb }: RelayConfig,
    private readonly logger: Logger,
  ) {
    this.folder = folder === '' ? null : new JournalFolder(folder, this.holder);
    this.file = new SettlementJournal({
      folder,
      name: this.holder,
      maxBytes: maxMb * MB,
      onState: (state) => {
        this.report(state);
      },
    });
  }

  get isOpen(): boolean {
    return this.file.isOpen;
  }

  /** `database`: the identity of the database in which its entries are booked. */
  open(database: string): void {
    this.file.open(database);
  }

  close(): Promise<void> {
    return this.file.close();
  }

  append(entry: string): Promise<JournalSegment | null> {
    return this.file.append(entry);
  }

  release(segment: JournalSegment): void {
    this.file.release(segment);
  }

  checkFiles(): Promise<void> {
    return this.file.checkFiles();
  }

  /** Keeps an entry that cannot be booked. */
  async setAside(holder: string, lines: readonly string[]): Promise<void> {
    await this.folder?.setAside(holder, lines);
  }

  private report(state: JournalState): void {
    if (state.kind === 'works') this.logger.info({}, 'the journal of settlements works again');
    else if (state.kind === 'full')
      this.logger.warn({}, 'the journal of settlements is full; until some are booked, answers wait for the database');
    else
      this.logger.error(
        { err: state.error },
        'failed to write the journal of settlements; until it works, answers wait for the database',
      );
  }
}
