import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeCtx } from '@switchyard/contracts';
import type { Database } from '@switchyard/database';
import { AppError, newId } from '@switchyard/kernel';
import type { Bus } from '@switchyard/messaging';
import { type Logger, Metrics } from '@switchyard/service';
import type { TokenAccountsRepository } from '../db/token-accounts.repository';
import type {
  Batch,
  Booked,
  LedgerBatchRepository,
  AdmissionResult,
  KeyReservation,
} from '../db/ledger-batch.repository';
import { LocalJournal } from '../journal/local-journal';
import type { RelayConfig } from '../relay.config';
import type { KeyTokenLimits } from './key-token-limits';
import { LedgerWriter } from './ledger-writer';
import type { SpendingLimitsCache } from './spending-limits-cache';

const SPACE = '00000000-0000-7000-8000-000000000001';
const ctx = makeCtx({
  spaceId: SPACE,
  userId: null,
  role: null,
  scopes: ['*'],
  credentialId: null,
  credentialType: 'jwt',
  applicationId: null,
});
const call = {
  model: 'sim-chat',
  promptTokens: 10,
  reserveTokens: 100,
  attribution: { source: 'relay' as const },
};
const settlement = {
  counts: { promptTokens: 10, completionTokens: 5, estimated: false },
  model: 'sim-chat',
  upstream: 'sim',
  cost: 0,
  outcome: 'completed' as const,
};

/** Books in memory: one account, whose balance the test sets. */
function aMeter(folder = '') {
  const account: AdmissionResult = {
    admitted: true,
    balance: 1_000_000,
    reserved: 0,
    ahead: 0,
    dailyUsed: 0,
    monthlyUsed: 0,
  };
  const batches: Batch[] = [];
  const state = {
    away: 0,
    signals: 0,
    key: undefined as KeyReservation | undefined,
    answers: [] as AdmissionResult[],
  };
  const bus = { signal: () => (state.signals += 1) } as unknown as Bus;
  const ledger = {
    book: (_: unknown, _holder: string, batch: Batch): Promise<Booked> => {
      if (state.away > 0) {
        state.away -= 1;
        return Promise.reject(new AppError('SERVICE_UNAVAILABLE', 'The database is away.'));
      }
      batches.push(batch);
      const admissions = (batch.reservations ?? []).map(() => state.answers.shift() ?? { ...account });
      return Promise.resolve({ admissions, accounts: new Map([[SPACE, { ...account }]]) });
    },
  } as unknown as LedgerBatchRepository;
  const caps = {
    get: () => ({
      requestTokenCap: 10_000,
      minimumBalance: null,
      dailyTokenCap: null,
      monthlyTokenCap: null,
      isUnmetered: false,
      suspendedReason: null,
    }),
  } as unknown as SpendingLimitsCache;
  const keys = {
    limitsOf: () => ({}),
    reservationFor: () => state.key,
    open: () => Promise.resolve(),
  } as unknown as KeyTokenLimits;
  const logger = { error: () => undefined } as unknown as Logger;
  const journal = new LocalJournal({ RELAY_JOURNAL_FOLDER: folder, RELAY_JOURNAL_MAX_MB: 1 } as RelayConfig, logger);
  const ledgerWriter = new LedgerWriter(
    {} as Database,
    {} as TokenAccountsRepository,
    ledger,
    caps,
    keys,
    bus,
    logger,
    new Metrics('relay'),
    { now: () => new Date() },
    journal,
  );
  return { meter: ledgerWriter, account, batches, state, journal };
}

describe('the meter of model calls', () => {
  it('holds nothing for a call that the account refuses', async () => {
    const { meter, account } = aMeter();
    account.admitted = false;
    account.balance = 0;
    await expect(meter.open(ctx, call)).rejects.toMatchObject({ code: 'INSUFFICIENT_TOKENS' });
    await new Promise(setImmediate);
    expect(meter.runningHolds()).toEqual([]);
  });

  it('tells of what it may hold although the answer of its ledger was lost', async () => {
    const { meter, state } = aMeter();
    let calls = 0;
    meter.onReserved(() => (calls += 1));
    state.away = 1;
    await expect(meter.open(ctx, call)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect([calls, meter.runningHolds(), meter.isHolding]).toEqual([1, [], true]);
    await meter.flushLeases();
    expect(meter.isHolding).toBe(false);
  });

  it('waits for the reservation of the first call, and gives the hold of a sure one before it stands', async () => {
    const { meter } = aMeter();
    const first = await meter.open(ctx, call);
    const second = await meter.open(ctx, call);
    expect([first.admission, second.admission]).toEqual([undefined, expect.any(Promise)]);
    await second.admission;
    expect(meter.runningHolds()).toHaveLength(2);
  });

  it('admits further calls from its lease without a request, and reports them on request', async () => {
    const { meter, batches } = aMeter();
    for (let calls = 0; calls < 2; calls += 1) await (await meter.open(ctx, call)).admission;
    expect(batches.flatMap(({ leases }) => leases ?? []).at(-1)).toMatchObject({ tokens: 100, ahead: 6_400 });
    const before = batches.length;
    expect((await meter.open(ctx, call)).admission).toBeUndefined();
    expect([batches.length, meter.runningHolds().length]).toEqual([before, 3]);
    await meter.flushed();
    expect(batches.at(-1)?.leases).toMatchObject([{ tokens: 300, ahead: 6_400 }]);
  });

  it('asks for what is held ahead before it refuses a call for that, and for nothing else', async () => {
    const { meter, account, state } = aMeter();
    account.admitted = false;
    account.balance = 100;
    account.ahead = 100;
    await expect(meter.open(ctx, call)).rejects.toMatchObject({ code: 'INSUFFICIENT_TOKENS' });
    expect(state.signals).toBe(1);
    account.balance = 0;
    await expect(meter.open(ctx, call)).rejects.toMatchObject({ code: 'INSUFFICIENT_TOKENS' });
    expect(state.signals).toBe(1);
  });

  it('asks back once for all who are refused at a time', async () => {
    const { meter, account, state } = aMeter();
    account.admitted = false;
    account.balance = 100;
    account.ahead = 100;
    const refused = Array.from({ length: 50 }, () => meter.open(ctx, call).catch(() => 'refused'));
    expect(new Set(await Promise.all(refused))).toEqual(new Set(['refused']));
    expect(state.signals).toBe(1);
  });

  it('is not made to ask by what changes in another Space', async () => {
    const { meter, batches } = aMeter();
    for (let calls = 0; calls < 2; calls += 1) {
      const opening = meter.open(ctx, call);
      meter.invalidateBalance('00000000-0000-7000-8000-000000000002');
      await (
        await opening
      ).admission;
    }
    const before = batches.length;
    expect((await meter.open(ctx, call)).admission).toBeUndefined();
    expect(batches.length).toBe(before);
  });

  it('asks again about every call after the account was changed by hand', async () => {
    const { meter } = aMeter();
    await meter.open(ctx, call);
    meter.invalidateBalance(SPACE);
    expect((await meter.open(ctx, call)).admission).toBeUndefined();
  });

  it('settles a call once, with what it has used', async () => {
    const { meter, batches } = aMeter();
    const tokenReservation = await meter.open(ctx, call);
    await Promise.all([
      tokenReservation.settle(settlement),
      tokenReservation.settle(settlement),
      tokenReservation.release(),
    ]);
    const settled = batches.flatMap((batch) => batch.settled ?? []);
    expect(settled).toMatchObject([
      { spaceId: SPACE, id: tokenReservation.id, tokens: 15, entry: { outcome: 'completed' } },
    ]);
    expect(meter.runningHolds()).toEqual([]);
  });

  it('refuses no call of a new key for a call that has ended and is not booked', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'journal-'));
    const { meter, account, batches, state, journal } = aMeter(folder);
    journal.open(newId());
    const ended = await meter.open(ctx, call);
    await ended.settle(settlement);
    state.key = { id: 'new', dailyTokens: 100, monthlyTokens: null, makers: [] };
    const refused = { ...account, admitted: false };
    state.answers = [{ ...refused, keyMissing: true }, refused];
    await meter.open(ctx, call);
    expect(batches.flatMap(({ settled }) => settled ?? [])).toMatchObject([{ id: ended.id }]);
    await journal.close();
    rmSync(folder, { recursive: true });
  });

  it('keeps a settlement until the database takes it', async () => {
    const { meter, batches, state } = aMeter();
    const tokenReservation = await meter.open(ctx, call);
    state.away = 2;
    await tokenReservation.settle(settlement);
    expect(batches.flatMap((batch) => batch.settled ?? [])).toHaveLength(1);
  });

  it('writes again what it holds when an answer of the database was lost', async () => {
    const { meter, batches, state } = aMeter();
    const tokenReservation = await meter.open(ctx, call);
    state.away = 1;
    await expect(meter.note([tokenReservation])).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await meter.flushLeases();
    const before = batches.length;
    await meter.flushLeases();
    expect(batches.length).toBe(before);
  });
});
