import { Database } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { until, usePlatform } from '@switchyard/testing';
import { TokenAccountsRepository } from '../src/db/token-accounts.repository';
import {
  type Batch,
  LedgerBatchRepository,
  type Due,
  type AdmissionResult,
  type CallReservation,
} from '../src/db/ledger-batch.repository';
import { SETTLE } from '../src/db/ledger-batch.sql';
import { KeyAccountsRepository } from '../src/db/key-accounts.repository';
import { ReservationsRepository } from '../src/db/reservations.repository';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const accounts = new TokenAccountsRepository();
const keys = new KeyAccountsRepository();
const books = new LedgerBatchRepository();
const reservations = new ReservationsRepository();
const [holder, another] = [newId(), newId()];
const facts = { model: 'sim-chat', promptTokens: 1, source: 'relay', userId: null, keyId: null };

const reservationOf = (spaceId: string, tokens = 10): CallReservation => ({
  spaceId,
  id: newId(),
  tokens,
  minimumBalance: null,
  dailyTokenCap: null,
  monthlyTokenCap: null,
  isUnmetered: false,
  facts,
});
const released = ({ spaceId, id }: CallReservation): Due => ({ spaceId, id, tokens: 0, entry: null });
const paid = ({ spaceId, id }: CallReservation, tokens: number): Due => ({
  spaceId,
  id,
  tokens,
  entry: { ...facts, upstream: null, completionTokens: tokens, cost: 0, estimated: false, outcome: 'completed' },
});
const leaseOf = (spaceId: string, tokens: number) => ({ spaceId, keyId: '', tokens });

describe('the books of the relay', () => {
  let database: Database;

  beforeAll(async () => {
    database = new Database({ service: 'relay', url: platform.state.databaseLogins['relay'] ?? '', poolSize: 8, log });
    await database.connect();
    for (const id of [holder, another]) await database.systemWrite('beat', [reservations.beat(id, false)]);
    // The relay that runs is not to take these for the calls of a dead one, however long they last.
    await platform.database.query(
      `update relay.holders set beat_at = beat_at + interval '10 minutes' where id = any($1)`,
      [[holder, another]],
    );
  });

  afterAll(async () => {
    for (const id of [holder, another]) await database.system('leave', (tx) => reservations.leave(tx, id));
    await database.close();
  });

  const openAccount = async (tokens: number): Promise<string> => {
    const spaceId = newId();
    await database.system('open an account', (tx) => accounts.open(tx, spaceId, tokens));
    return spaceId;
  };

  const openKey = async (spaceId: string) => {
    const id = newId();
    await database.system('open a key', (tx) => keys.open(tx, spaceId, id, null));
    return { id, dailyTokens: null, monthlyTokens: null, makers: [] };
  };

  /**
   * By this row an idle relay sees that there may be something to sweep. It is forgotten where the relay holds nothing.
   */
  const fellSilent = (id: string) =>
    platform.database.query(`insert into relay.holders (id, beat_at) values ($1, now() - interval '10 minutes')`, [id]);

  const book = async (batch: Batch, by = holder): Promise<(AdmissionResult | null)[]> =>
    (await books.book(database, by, batch)).admissions;
  const accountOf = async (spaceId: string) => (await accounts.findAll(database, [spaceId])).get(spaceId);
  const ledgerOf = async (spaceId: string): Promise<number[]> =>
    (
      await platform.database.query<{ tokens: string }>(
        `select tokens from relay.ledger where space_id = $1 and type = 'SETTLEMENT' order by seq`,
        [spaceId],
      )
    ).map(({ tokens }) => Number(tokens));

  it('let what a call frees be held by the next one of the same batch', async () => {
    const spaceId = await openAccount(100);
    const first = reservationOf(spaceId, 100);
    const leases = [leaseOf(spaceId, 0)];
    expect(await book({ reservations: [first], leases })).toMatchObject([{ admitted: true }]);
    const full = { reservations: [reservationOf(spaceId)], leases: [leaseOf(spaceId, 100)] };
    expect(await book(full)).toMatchObject([{ admitted: false }]);
    const next = reservationOf(spaceId);
    expect(await book({ settled: [released(first)], reservations: [next], leases })).toMatchObject([
      { admitted: true },
    ]);
    expect(await accountOf(spaceId)).toMatchObject({ balance: 100, reserved: 10 });
    await book({ settled: [released(next)], leases });
    expect(await accountOf(spaceId)).toMatchObject({ balance: 100, reserved: 0 });
  });

  it('let calls in one after the other, and refuse those that find nothing left', async () => {
    const [spaceId, other] = [await openAccount(25), newId()];
    const reservations = [reservationOf(other), ...Array.from({ length: 4 }, () => reservationOf(spaceId))];
    const admissions = await book({ reservations, leases: [leaseOf(spaceId, 0), leaseOf(other, 0)] });
    expect(admissions.map((admission) => admission && [admission.admitted, admission.reserved])).toEqual([
      null,
      [true, 0],
      [true, 10],
      [true, 20],
      [false, 30],
    ]);
    expect(await accountOf(spaceId)).toMatchObject({ balance: 25, reserved: 30 });
    await book({ leases: [leaseOf(spaceId, 0)] });
  });

  it('hold a minimum against what every relay has reserved, and let one call pass it', async () => {
    const spaceId = await openAccount(1_000);
    const limited = () => ({ ...reservationOf(spaceId, 40), minimumBalance: 900 });
    const letIn = (admissions: (AdmissionResult | null)[]) => admissions.map((admission) => admission?.admitted);
    const leases = [leaseOf(spaceId, 0)];
    expect(letIn(await book({ reservations: [limited(), limited()], leases }))).toEqual([true, true]);
    const rest = { reservations: [limited(), limited()], leases };
    expect(letIn(await book(rest, another))).toEqual([true, false]);
    const key = await openKey(spaceId);
    expect(letIn(await book({ reservations: [{ ...limited(), key }] }))).toEqual([false]);
    // Exactly at the minimum, and with tokens held ahead.
    await book({ leases: [leaseOf(spaceId, 60)] });
    await book({ leases: [leaseOf(spaceId, 40)] }, another);
    expect(letIn(await book({ reservations: [limited()], leases: [leaseOf(spaceId, 60)] }))).toEqual([true]);
    await book({ leases: [{ ...leaseOf(spaceId, 60), ahead: 1 }] });
    expect(letIn(await book({ reservations: [limited()] }))).toEqual([false]);
    for (const by of [holder, another]) await book({ leases }, by);
  });

  it('tell a refused call what is held, without the calls that were refused before it', async () => {
    const spaceId = await openAccount(1_000);
    const capped = () => ({ ...reservationOf(spaceId, 100), dailyTokenCap: 150 });
    const leases = [leaseOf(spaceId, 0)];
    const reservedOf = (admissions: (AdmissionResult | null)[]) => admissions.map((admission) => admission?.reserved);
    const reservations = Array.from({ length: 20 }, capped);
    expect(reservedOf(await book({ reservations, leases }))).toEqual([0, 100, ...Array<number>(18).fill(200)]);
    const [free, full] = [await openKey(spaceId), { ...(await openKey(spaceId)), monthlyTokens: 0 }];
    const byKey = [full, free, full, free].map((of) => ({ ...capped(), key: of }));
    const refused = await book({ reservations: byKey });
    expect(refused.map((admission) => [admission?.admitted, admission?.reserved, admission?.keyReserved])).toEqual(
      Array(4).fill([false, 200, 0]),
    );
    await book({ leases });
  });

  it('charge a call once, however often it is said to have ended, and by whom', async () => {
    const spaceId = await openAccount(1000);
    const [call, other] = [reservationOf(spaceId), reservationOf(spaceId)];
    await book({ reservations: [call, other], leases: [leaseOf(spaceId, 0)] });
    await book({ notes: [{ spaceId, id: call.id, facts, seenTokens: 3 }] });
    const end: Batch = { settled: [paid(call, 7)], leases: [leaseOf(spaceId, 10)] };
    await book(end);
    // As after an answer that was lost, and as by a relay that takes this one for dead.
    await book(end);
    await book({ settled: [paid(call, 4)] }, another);
    expect(await ledgerOf(spaceId)).toEqual([-7]);
    expect(await accountOf(spaceId)).toMatchObject({ balance: 993, reserved: 10, dailyUsed: 7 });
    await book({ settled: [paid(other, 2)], leases: [leaseOf(spaceId, 0)] });
    expect(await accountOf(spaceId)).toMatchObject({ balance: 991, reserved: 0, dailyUsed: 9 });
    expect(await platform.database.query('select 1 from relay.reservations where space_id = $1', [spaceId])).toEqual(
      [],
    );
  });

  it('hold for each relay and key what it says, and set right what was lost', async () => {
    const spaceId = await openAccount(1000);
    await book({ leases: [leaseOf(spaceId, 50), { ...leaseOf(spaceId, 5), keyId: 'a key' }] });
    await book({ leases: [leaseOf(spaceId, 100)] }, another);
    expect((await accountOf(spaceId))?.reserved).toBe(155);
    // Another process freed it meanwhile; a lease is written as a sum, not as a difference.
    await book({ leases: [leaseOf(spaceId, 0)] });
    await book({ leases: [leaseOf(spaceId, 30)] });
    await book({ leases: [leaseOf(spaceId, 30)] });
    expect((await accountOf(spaceId))?.reserved).toBe(135);
    await book({ leases: [leaseOf(spaceId, 0), { ...leaseOf(spaceId, 0), keyId: 'a key' }] });
    await book({ leases: [leaseOf(spaceId, 0)] }, another);
    expect(await accountOf(spaceId)).toMatchObject({ balance: 1000, reserved: 0 });
  });

  it('do not give leased tokens to other callers, and do not show them as reserved', async () => {
    const spaceId = await openAccount(100);
    await book({ leases: [{ ...leaseOf(spaceId, 30), ahead: 70 }] }, another);
    expect(await accountOf(spaceId)).toMatchObject({ balance: 100, reserved: 30, ahead: 70 });
    const refused = { reservations: [reservationOf(spaceId)], leases: [leaseOf(spaceId, 0)] };
    expect(await book(refused)).toMatchObject([{ admitted: false, reserved: 30, ahead: 70 }]);
    const daily = { ...reservationOf(spaceId), dailyTokenCap: 100 };
    await book({ leases: [{ ...leaseOf(spaceId, 30), ahead: 69 }] }, another);
    expect(await book({ ...refused, reservations: [daily] })).toMatchObject([{ admitted: true }]);
    // Tokens move from one to the other and are never free in between.
    await book({ leases: [leaseOf(spaceId, 0)] });
    await book({ leases: [{ ...leaseOf(spaceId, 90), ahead: 10 }] }, another);
    expect(await book(refused)).toMatchObject([{ admitted: false }]);
    await book({ leases: [{ ...leaseOf(spaceId, 90), ahead: 0 }] }, another);
    expect(await book(refused)).toMatchObject([{ admitted: true }]);
    await book({ leases: [leaseOf(spaceId, 0)] });
    // A relay that died gives back both.
    const dead = newId();
    await platform.database.query(
      `insert into relay.leases (space_id, holder, key_id, tokens, ahead, written_at) values ($1, $2, '', 0, 25, now() - interval '1 minute')`,
      [spaceId, dead],
    );
    expect((await accountOf(spaceId))?.ahead).toBe(25);
    await book({ leases: [leaseOf(spaceId, 0)] }, another);
    await fellSilent(dead);
    await until(async () => (await accountOf(spaceId))?.ahead === 0);
  });

  it('of a relay that fell silent are closed by another one, and go on when it comes back', async () => {
    const spaceId = await openAccount(1000);
    const silent = newId();
    const [noted, other] = [reservationOf(spaceId), reservationOf(spaceId)];
    const note = { spaceId, id: noted.id, facts, seenTokens: 3 };
    await book({ reservations: [noted, other], leases: [leaseOf(spaceId, 0)] }, silent);
    await book({ notes: [note] }, silent);
    expect((await accountOf(spaceId))?.reserved).toBe(20);
    await fellSilent(silent);
    // The prompt and the answer so far; unrecorded tokens cost nothing.
    await until(async () => (await accountOf(spaceId))?.reserved === 0 && (await ledgerOf(spaceId)).length > 0);
    expect(await ledgerOf(spaceId)).toEqual([-4]);
    await book({ settled: [paid(noted, 9), paid(other, 5)], leases: [leaseOf(spaceId, 0)] }, silent);
    expect(await ledgerOf(spaceId)).toEqual([-4, -5]);
    expect(await accountOf(spaceId)).toMatchObject({ balance: 991, reserved: 0 });
  });

  it('do not wait for the notes of how far calls are, nor those for them', async () => {
    const spaceId = await openAccount(1000);
    const [ending, running] = [reservationOf(spaceId), reservationOf(spaceId)];
    await book({ notes: [ending, running].map(({ id }) => ({ spaceId, id, facts, seenTokens: 0 })) });
    const seen = [ending, running].map(({ id }) => ({ spaceId, id, tokens: 7 }));
    const noted = await database.system('hold a row as a settlement does', async (tx) => {
      await tx.run('select 1 from reservations where space_id = $1 and id = $2 for update', [spaceId, ending.id]);
      await database.system('note', (other) => reservations.noteSeen(other, seen));
      return tx.query('select id, seen_tokens from reservations where space_id = $1 order by id', [spaceId]);
    });
    expect(noted).toEqual([
      { id: ending.id, seenTokens: 0 },
      { id: running.id, seenTokens: 7 },
    ]);
    await book({ settled: [released(ending), released(running)] });
  });

  it('look for what was charged before by its keys, also where the plan was made for a ledger that was short', async () => {
    const spaceId = await openAccount(1000);
    const plan = await database.system('look at a plan', async (tx) => {
      // Stands before the real one for this transaction.
      await tx.run('create temporary table ledger (like relay.ledger including all) on commit drop');
      await tx.run('analyze ledger');
      const entry = paid(reservationOf(spaceId), 1).entry;
      const lists = [[spaceId], [newId()], [1], JSON.stringify([entry]), [], [], [], []];
      return tx.query(`explain (verbose) ${SETTLE}`, [holder, ...lists]);
    });
    const text = JSON.stringify(plan);
    // A hashed subplan has read all of the ledger before it answers for one call.
    expect(text).not.toContain('hashed SubPlan');
    expect(text).toContain('(l.id = d_2.id)');
    expect(text).toContain(`(l_1.request_key = (d_2.entry ->> 'requestKey'::text))`);
  });

  it('look for a lease by its key alone, however many its relay has in other Spaces', async () => {
    const spaceId = await openAccount(1000);
    const plan = await database.system('look at a plan', async (tx) => {
      await tx.run('create temporary table leases (like relay.leases including all) on commit drop');
      await tx.run(
        `insert into leases (space_id, holder, key_id, tokens)
         select gen_random_uuid(), md5((n % 20)::text)::uuid, '', 1 from generate_series(1, 80) n`,
      );
      await tx.run('analyze leases');
      // As for a statement that has been prepared: it knows how many leases there were, and not how many are given.
      await tx.run(`set local plan_cache_mode = 'force_generic_plan'`);
      return tx.query(`explain (verbose) ${SETTLE}`, [holder, [], [], [], '[]', [spaceId], [''], [5], [0]]);
    });
    const found = JSON.stringify(plan).match(/Index Cond: \(\(o\.space_id = [^"]*/)?.[0] ?? '';
    expect(found).toContain('o.holder =');
    expect(found).toContain('o.key_id =');
  });

  it('are written by plans that were made once, and not for each call', async () => {
    const url = platform.state.databaseLogins['relay'] ?? '';
    const oneLine = new Database({ service: 'relay', url, poolSize: 1, log });
    try {
      await oneLine.connect();
      const spaceId = await openAccount(1_000_000);
      for (let call = 0; call < 10; call += 1)
        await books.book(oneLine, holder, {
          settled: [paid(reservationOf(spaceId), 1)],
          reservations: [reservationOf(spaceId, 0)],
        });
      const planned = await oneLine.system('look at plans', (tx) =>
        tx.query(
          `select name, generic_plans >= 10 as is_used, custom_plans::int from pg_prepared_statements
            where name in ('lock-accounts', 'settle-calls', 'admit') order by 1`,
        ),
      );
      const names = ['admit', 'lock-accounts', 'settle-calls'];
      expect(planned).toEqual(names.map((name) => ({ name, isUsed: true, customPlans: 0 })));
    } finally {
      await oneLine.close();
    }
  });

  it('are never locked in two orders by calls that settle in one Space and reserve in another', async () => {
    const [one, other] = [await openAccount(1_000_000), await openAccount(1_000_000)];
    // Half of the writers end calls here and begin calls there, the other half the other way round.
    const writer = async (ends: string, begins: string): Promise<void> => {
      const by = newId();
      for (let round = 0; round < 25; round += 1) {
        const [ending, beginning] = [reservationOf(ends), reservationOf(begins)];
        await book(
          { settled: [paid(ending, 1)], reservations: [beginning], leases: [leaseOf(ends, 0), leaseOf(begins, 0)] },
          by,
        );
        await book({ settled: [released(beginning)], leases: [leaseOf(begins, 0)] }, by);
      }
    };
    await Promise.all([0, 1, 2, 3].flatMap(() => [writer(one, other), writer(other, one)]));
    const remaining = await accounts.findAll(database, [one, other]);
    expect([...remaining.values()]).toMatchObject([
      { balance: 999_900, reserved: 0 },
      { balance: 999_900, reserved: 0 },
    ]);
  });
});
