import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Database, Read, Tx } from '@switchyard/database';
import { type Logger, Metrics, type Workers } from '@switchyard/service';
import type { Batch, Booked } from '../db/ledger-batch.repository';
import { ReservationsRepository } from '../db/reservations.repository';
import { JournalFolder } from '../journal/journal-folder';
import { encodeRecord } from '../journal/journal-records';
import { LocalJournal } from '../journal/local-journal';
import type { RelayConfig } from '../relay.config';
import { JournalKeeper } from './journal-keeper';
import type { LedgerWriter } from './ledger-writer';

const idOf = (n: number): string => `00000000-0000-7000-8000-0000000000${String(n).padStart(2, '0')}`;
const ENDED = idOf(90);
const SPACE = idOf(50);
const DATABASE = idOf(80);

describe('the keeper of the journal', () => {
  let folder: string;
  let journal: LocalJournal;
  let keeper: JournalKeeper;
  let start: () => Promise<void>;
  let relays: number;
  let setAside: number;
  let booked: string[];
  let ended: unknown[];
  /** Whether there is a journal, as the heartbeats have reported. */
  let reported: unknown[];
  let fail: (id: string) => Error | null;
  let metrics: Metrics;
  const warn = jest.fn();

  const database = {
    systemWrite: (_what: string, [{ params }]: [Read]) => Promise.resolve(reported.push(params[1])),
    systemRead: () => Promise.resolve([[{ relays, hasJournal: false, identity: DATABASE }]]),
    system: (_what: string, work: (tx: Tx) => Promise<void>) =>
      work({ run: (_sql: string, params: unknown[]) => Promise.resolve(ended.push(params[0])) } as unknown as Tx),
  } as unknown as Database;

  /** Its database has one Space. */
  const ledger = {
    book: (_database: Database, _holder: string, { settled = [] }: Batch): Promise<Booked> => {
      for (const { id } of settled) {
        const error = fail(id);
        if (error) return Promise.reject(error);
      }
      const found = settled.filter(({ spaceId }) => spaceId === SPACE);
      booked.push(...found.map(({ id }) => id));
      return Promise.resolve({ admissions: [], accounts: new Map(found.map(() => [SPACE, {} as never])) });
    },
  };

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'journal-'));
    [relays, setAside, booked, ended, reported, fail] = [0, 0, [], [], [], () => null];
    warn.mockReset();
    const logger = { info: () => undefined, warn, error: () => undefined } as unknown as Logger;
    const config = {
      RELAY_JOURNAL_FOLDER: folder,
      RELAY_JOURNAL_MAX_MB: 1,
      RELAY_DEAD_AFTER_SECONDS: 45,
    } as RelayConfig;
    journal = new LocalJournal(config, logger);
    const writer = {
      settlements: {
        unbooked: 0,
        flushed: () => Promise.resolve(),
        countSetAside: (entries: number) => (setAside += entries),
      },
      onApplicationShutdown: () => Promise.resolve(),
      returnReserved: () => Promise.resolve(),
    } as unknown as LedgerWriter;
    const workers = {
      beforeStart: (_name: string, work: () => Promise<void>) => (start = work),
    } as unknown as Workers;
    const reservations = new ReservationsRepository();
    metrics = new Metrics('relay');
    keeper = new JournalKeeper(database, reservations, ledger, writer, journal, workers, config, logger, metrics);
    keeper.onModuleInit();
  });
  afterEach(async () => {
    await keeper.onApplicationShutdown();
    rmSync(folder, { recursive: true, force: true });
  });

  const leave = (...entries: object[]): void => {
    leaveIn(`${ENDED}-1.journal`, ...entries);
  };
  const leaveIn = (name: string, ...entries: object[]): void => {
    const lines = entries.map((entry) => encodeRecord(1, JSON.stringify(entry)));
    writeFileSync(path.join(folder, name), lines.join(''));
  };
  const due = (n: number, spaceId = SPACE): object => ({ spaceId, id: idOf(n), tokens: n, entry: null });
  const isExpected = async (): Promise<boolean> =>
    /^switchyard_relay_journal_expected(?:\{.*\})? 1$/m.test(await metrics.text());
  const files = (): string[] => readdirSync(folder).filter((name) => !name.endsWith('.lock'));

  it('books what an ended relay has left, and opens the journal', async () => {
    leave(due(1), due(2));
    await start();
    // A heartbeat waits no longer than a second for the folder.
    while (!journal.isOpen) await new Promise(setImmediate);
    expect([booked, ended, files(), journal.isOpen]).toEqual([[idOf(1), idOf(2)], [ENDED], [], true]);
  });

  it('sets entries of Spaces aside that have no account', async () => {
    leave(due(1), due(2, idOf(51)));
    await start();
    expect([booked, setAside, files()]).toEqual([[idOf(1)], 1, [`${ENDED}.set-aside`]]);
    expect(readFileSync(path.join(folder, `${ENDED}.set-aside`), 'utf8')).toContain(idOf(51));
  });

  it('books files that were written for its database, and leaves those of another one, which it counts once', async () => {
    const foreign = `${ENDED}-2-${idOf(81)}.journal`;
    leaveIn(`${ENDED}-1-${DATABASE}.journal`, due(1));
    leaveIn(foreign, due(2), due(3));
    leaveIn(`${idOf(92)}-1-${idOf(81)}.journal`, due(4));
    for (let times = 0; times < 2; times += 1) await start();
    while (!journal.isOpen) await new Promise(setImmediate);
    expect([booked, ended, setAside]).toEqual([[idOf(1)], [ENDED], 3]);
    expect(files()).toEqual([foreign, `${idOf(92)}-1-${idOf(81)}.journal`]);
  });

  it('tells that the journal should be open while its folder cannot be used, but not while another relay is alive', async () => {
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'no folder');
    expect(await isExpected()).toBe(false);
    await keeper.beat();
    expect([journal.isOpen, await isExpected()]).toEqual([false, true]);
    relays = 1;
    await keeper.beat();
    expect(await isExpected()).toBe(false);
  });

  it('books at a heartbeat what it could not at the start, also while another relay is alive', async () => {
    relays = 1;
    leave(due(1));
    const other = new JournalFolder(folder, idOf(91));
    await other.lock();
    await start();
    expect([booked, warn.mock.calls.length]).toEqual([[], 1]);
    await other.unlock();
    await keeper.beat();
    while (files().length > 0) await new Promise(setImmediate);
    expect([booked, ended, journal.isOpen]).toEqual([[idOf(1)], [ENDED], false]);
    // It does not look again, and says nothing twice.
    leave(due(2));
    await keeper.beat();
    expect([booked, warn.mock.calls.length]).toEqual([[idOf(1)], 1]);
  });

  it('waits at the start for another relay that uses the folder for a moment, and says so to others', async () => {
    relays = 1;
    leave(due(1));
    const other = new JournalFolder(folder, idOf(91));
    await other.lock();
    const lock = jest.spyOn(JournalFolder.prototype, 'lock');
    const starting = start();
    while (lock.mock.results.length === 0) await new Promise(setImmediate);
    expect([await lock.mock.results[0]?.value, reported]).toEqual([false, [true]]);
    await other.unlock();
    await starting;
    lock.mockRestore();
    expect([booked, reported.at(-1)]).toEqual([[idOf(1)], false]);
  });

  it('sets several entries aside that cannot be booked for a reason unknown, within the attempts of a start', async () => {
    leave(...[1, 2, 3, 4, 5].map((n) => due(n)));
    fail = (id) => (id === idOf(3) ? null : new Error('unknown'));
    let attempts = 1;
    while (
      await start().then(
        () => false,
        () => true,
      )
    )
      attempts += 1;
    expect([attempts, setAside, files()]).toEqual([20, 4, [`${ENDED}.set-aside`]]);
  });
});
