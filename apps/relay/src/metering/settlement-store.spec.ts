import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AppError, newId } from '@switchyard/kernel';
import { type Logger, Metrics } from '@switchyard/service';
import { LocalJournal } from '../journal/local-journal';
import type { RelayConfig } from '../relay.config';
import { type OwedSettlement, SettlementStore } from './settlement-store';

const idOf = (n: number): string => `00000000-0000-7000-8000-00000000000${n}`;
const owed = (n: number): OwedSettlement => ({
  due: {
    spaceId: idOf(0),
    id: idOf(n),
    tokens: n,
    entry: { upstream: null, completionTokens: n, cost: 0, estimated: false, outcome: 'completed' },
  },
});
const unavailable = (): AppError => new AppError('SERVICE_UNAVAILABLE', 'The database is away.');

class PostgresError extends Error {
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

const refused = (): Error => new PostgresError('value out of range', '22003');

const logger = { info: jest.fn(), warn: jest.fn(), error: jest.fn() } as unknown as Logger;

describe('the store of settlements', () => {
  let folder: string;
  let journal: LocalJournal;
  let store: SettlementStore;
  let booked: number[];
  let fail: (tokens: number) => Error | null;
  let now: number;
  const onBooked = jest.fn();

  beforeEach(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'journal-'));
    journal = new LocalJournal({ RELAY_JOURNAL_FOLDER: folder, RELAY_JOURNAL_MAX_MB: 1 } as RelayConfig, logger);
    await journal.folder?.lock();
    journal.open(newId());
    booked = [];
    fail = () => null;
    now = 0;
    onBooked.mockReset();
    const book = ({ due }: OwedSettlement): Promise<void> => {
      const error = fail(due.tokens);
      if (error) return Promise.reject(error);
      booked.push(due.tokens);
      return Promise.resolve();
    };
    store = new SettlementStore(book, journal, logger, new Metrics('relay'), () => now);
  });
  afterEach(async () => {
    fail = () => null;
    await store.flushed();
    await journal.close();
    await journal.folder?.unlock();
    rmSync(folder, { recursive: true, force: true });
  });

  it('books what is in the journal before a read, once', async () => {
    await Promise.all([store.store(owed(1), onBooked), store.store(owed(2), onBooked)]);
    expect([booked, store.unbooked, onBooked.mock.calls.length]).toEqual([[], 2, 0]);
    await Promise.all([store.flushed(), store.flushed()]);
    expect([booked, store.unbooked, onBooked.mock.calls.length]).toEqual([[1, 2], 0, 2]);
  });

  it('books by itself, and goes on when the database is back', async () => {
    fail = unavailable;
    await store.store(owed(1), onBooked);
    await expect(store.flushed()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(store.unbooked).toBe(1);
    fail = () => null;
    while (store.unbooked > 0) await new Promise(setImmediate);
    expect([booked, onBooked.mock.calls.length]).toEqual([[1], 1]);
  });

  it('goes on by itself after a read that took all of it and failed', async () => {
    const refuse: ((error: Error) => void)[] = [];
    const book = (): Promise<void> =>
      refuse.length < 2 ? new Promise((_resolve, reject) => refuse.push(reject)) : Promise.resolve();
    const another = new SettlementStore(book, journal, logger, new Metrics('relay'));
    await another.store(owed(1), onBooked);
    while (refuse.length < 1) await new Promise(setImmediate);
    const read = expect(another.flushed()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    refuse[0]?.(unavailable());
    while (refuse.length < 2) await new Promise(setImmediate);
    await new Promise(setImmediate);
    refuse[1]?.(unavailable());
    await read;
    while (another.unbooked > 0) await new Promise(setImmediate);
    expect(onBooked).toHaveBeenCalledTimes(1);
  });

  it('keeps an entry that the database does not take for another reason, and a read fails meanwhile', async () => {
    fail = () => new PostgresError('permission denied', '42501');
    await store.store(owed(1), onBooked);
    // However many reads there are, it is not set aside.
    for (let reads = 0; reads < 25; reads += 1)
      await expect(store.flushed()).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        cause: { message: 'permission denied' },
      });
    fail = () => null;
    await store.flushed();
    expect([booked, onBooked.mock.calls.length]).toEqual([[1], 1]);
  });

  it('sets such an entry aside when the reason has not passed for a while', async () => {
    fail = (tokens) => (tokens === 1 ? new PostgresError('permission denied', '42501') : null);
    await store.store(owed(1), onBooked);
    for (let reads = 0; reads < 20; reads += 1) await expect(store.flushed()).rejects.toThrow();
    now = 60_000;
    await store.flushed();
    expect([booked, store.unbooked, onBooked.mock.calls.length]).toEqual([[0], 0, 1]);
  });

  it('lets no read pass at the moment at which an attempt fails', async () => {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const book = (): Promise<void> => ended.then(() => Promise.reject(unavailable()));
    let isDown = true;
    const another = new SettlementStore(
      () => (isDown ? book() : Promise.resolve()),
      journal,
      logger,
      new Metrics('relay'),
    );
    await another.store(owed(1), onBooked);
    const attempt = another.flushed().catch(() => undefined);
    // Each begins a moment later than the one before.
    const reads = Array.from({ length: 30 }, async (_, moments) => {
      await ended;
      for (let moment = 0; moment < moments; moment += 1) await Promise.resolve();
      return another.flushed().then(
        () => 'passed',
        () => 'failed',
      );
    });
    end();
    expect(new Set(await Promise.all(reads))).toEqual(new Set(['failed']));
    await attempt;
    isDown = false;
    await another.flushed();
  });

  it('waits until a settlement is booked if the journal does not take it', async () => {
    await journal.close();
    await store.store(owed(1), onBooked);
    expect([booked, onBooked.mock.calls.length]).toEqual([[1], 1]);
  });

  it('sets an entry aside that the database refuses, and books the others', async () => {
    fail = (tokens) => (tokens === 2 ? refused() : null);
    await Promise.all([1, 2, 3].map((n) => store.store(owed(n), onBooked)));
    await store.flushed();
    // The last one frees what the refused one has reserved.
    expect([booked, store.unbooked, onBooked.mock.calls.length]).toEqual([[1, 3, 0], 0, 3]);
    const [aside = ''] = readdirSync(folder).filter((name) => name.endsWith('.set-aside'));
    expect(readFileSync(path.join(folder, aside), 'utf8')).toContain(`"id":"${idOf(2)}"`);
  });

  it('releases at once what has nothing to charge', async () => {
    await store.store({ due: { ...owed(1).due, entry: null } }, onBooked);
    expect(onBooked.mock.calls.length).toBe(1);
  });
});
