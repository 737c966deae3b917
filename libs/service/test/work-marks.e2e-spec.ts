import { Database, Inbox, REQUESTS, isQuiet, type Tx } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { Trials } from '@switchyard/messaging';
import { Logger, Metrics, PoisonedWork, RunningWorkMarks, Workers } from '@switchyard/service';
import { until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const KIND = 'trial';

describe('marks of running work', () => {
  let database: Database;
  let poisoned: PoisonedWork;
  let marks: RunningWorkMarks;

  beforeAll(async () => {
    database = new Database({ service: 'task', url: platform.state.databaseLogins['task'] ?? '', poolSize: 2, log });
    await database.connect();
    const logger = new Logger('task', 'silent');
    poisoned = new PoisonedWork(database, new Workers(logger), new Metrics('task'), logger, new Trials());
  });

  beforeEach(() => {
    marks = new RunningWorkMarks(database, poisoned.lost, new Logger('task', 'silent'), new Trials());
  });

  afterEach(() => marks.endAll());
  afterAll(() => database.close());

  const begin = (slot: string) =>
    database.systemWrite('begin a trial', [marks.begin({ slot, kind: KIND, ids: [newId()] })]);
  const age = (seconds: number) =>
    platform.database.query(
      'update task.running_work set at = clock_timestamp() - make_interval(secs => $2) where worker = $1',
      [marks.worker, seconds],
    );
  const slots = async (): Promise<Record<string, boolean>> => {
    const rows = await platform.database.query<{ slot: string; isFresh: boolean }>(
      `select slot, at > clock_timestamp() - interval '5 seconds' as "isFresh" from task.running_work where worker = $1`,
      [marks.worker],
    );
    return Object.fromEntries(rows.map(({ slot, isFresh }) => [slot, isFresh]));
  };

  it('are swept if they could not be removed when their work ended', async () => {
    await begin('over');
    await begin('running');
    marks.drop('over');
    await marks.renew();
    // A young one may be about to be removed.
    expect(await slots()).toEqual({ over: true, running: true });
    await age(11);
    await marks.renew();
    expect(await slots()).toEqual({ running: true });
  });

  it('are renewed until the transaction that ends them is committed', async () => {
    await begin('failing');
    const failed = database.system('fail to end a trial', async (tx) => {
      await marks.end(tx, 'failing');
      throw new Error('not committed');
    });
    await expect(failed).rejects.toThrow('not committed');
    await age(11);
    await marks.renew();
    expect(await slots()).toEqual({ failing: true });
    await database.system('end a trial', (tx) => marks.end(tx, 'failing'));
    expect(await slots()).toEqual({});
  });

  it('are made anew if others removed them while their work runs', async () => {
    await begin('running');
    await begin('young');
    await platform.database.query('delete from task.running_work where worker = $1', [marks.worker]);
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + 11_000);
    await begin('younger');
    await platform.database.query(`delete from task.running_work where worker = $1 and slot = 'younger'`, [
      marks.worker,
    ]);
    marks.drop('young');
    await marks.renew();
    jest.restoreAllMocks();
    expect(await slots()).toEqual({ running: true });
  });

  it('of a living process count as lost neither to itself, nor while the database may have been silent', async () => {
    const work = newId();
    const other = `other-${newId()}`;
    const losses = (workers: { ended: string[]; own: string; isSilenceLoss: boolean }): Promise<number> => {
      let count = 0;
      const undone = database.system('count the losses of a trial', async (tx) => {
        await tx.run(
          `insert into running_work (worker, slot, kind, ids, at) values ($1, 'a', $2, array[$3::uuid], clock_timestamp() - interval '31 seconds')`,
          [other, KIND, work],
        );
        const { counted } = await poisoned.lost.countLosses(tx, workers);
        count = counted.filter(({ kind }) => kind === KIND).length;
        throw new Error('undone');
      });
      return undone.catch(() => count);
    };
    const own = marks.worker;
    expect(await losses({ ended: [], own, isSilenceLoss: true })).toBe(1);
    expect(await losses({ ended: [], own, isSilenceLoss: false })).toBe(0);
    expect(await losses({ ended: [other], own, isSilenceLoss: false })).toBe(1);
    expect(await losses({ ended: [other], own: other, isSilenceLoss: true })).toBe(0);
  });

  describe('left by a process that ended', () => {
    class Undone extends Error {}
    const TRIAL = 'trial of marked work';

    /** In a transaction that is undone, so that no service takes part. */
    const undone = async (work: (tx: Tx) => Promise<void>): Promise<void> => {
      const run = database.system('try losses out', async (tx) => {
        await tx.run('delete from lost_work');
        await tx.run(`delete from running_work where kind <> 'process'`);
        await work(tx);
        throw new Undone();
      });
      await expect(run).rejects.toThrow(Undone);
    };
    const mark = async (tx: Tx, worker: string, slot: string, { isAlone }: { isAlone: boolean }): Promise<string> => {
      const id = newId();
      await tx.statement(poisoned.lost.begin({ worker, slot, kind: KIND, ids: [id], isAlone }));
      if (isAlone)
        await tx.run(
          `insert into lost_work (kind, id, losses, lost_at) values ($1, $2, 1, clock_timestamp() - interval '1 hour')`,
          [KIND, id],
        );
      return id;
    };
    const end = (tx: Tx, worker: string) =>
      poisoned.lost.countLosses(tx, { ended: [worker], own: marks.worker, isSilenceLoss: false });
    const lossesOf = async (tx: Tx, ids: readonly string[]): Promise<number[]> => {
      const rows = await tx.query<{ id: string; losses: number }>(
        'select id, losses from lost_work where kind = $1 and id = any($2)',
        [KIND, ids],
      );
      return ids.map((id) => rows.find((row) => row.id === id)?.losses ?? 0);
    };
    const isFreshTaken = async (tx: Tx): Promise<boolean> => (await tx.one(`select 1 where ${isQuiet}`)) === null;
    const age = (tx: Tx, seconds: number) =>
      tx.run(`update lost_work set lost_at = clock_timestamp() - make_interval(secs => $1) where kind = $2`, [
        seconds,
        TRIAL,
      ]);

    it('count for what ran alone', () =>
      undone(async (tx) => {
        const id = await mark(tx, 'first', 'alone', { isAlone: true });
        await end(tx, 'first');
        expect(await lossesOf(tx, [id])).toEqual([2]);
        // The loss is explained.
        expect(await isFreshTaken(tx)).toBe(true);
      }));

    it('blame none if another one was left with it, until that showed nothing three times', () =>
      undone(async (tx) => {
        const id = await mark(tx, 'first', 'alone', { isAlone: true });
        const fresh = [await mark(tx, 'first', 'batch', { isAlone: false })];
        await end(tx, 'first');
        expect(await lossesOf(tx, [id, ...fresh])).toEqual([1, 1]);
        for (const worker of ['second', 'third']) {
          await tx.statement(poisoned.lost.begin({ worker, slot: 'alone', kind: KIND, ids: [id], isAlone: true }));
          await mark(tx, worker, 'batch', { isAlone: false });
          await end(tx, worker);
          expect(await lossesOf(tx, [id])).toEqual([1]);
        }
        // Fresh work protects it no more, another suspect does.
        await tx.statement(
          poisoned.lost.begin({ worker: 'fourth', slot: 'alone', kind: KIND, ids: [id], isAlone: true }),
        );
        const other = await mark(tx, 'fourth', 'other', { isAlone: true });
        await end(tx, 'fourth');
        expect(await lossesOf(tx, [id, other])).toEqual([1, 1]);
        await tx.statement(
          poisoned.lost.begin({ worker: 'fifth', slot: 'alone', kind: KIND, ids: [id], isAlone: true }),
        );
        await mark(tx, 'fifth', 'batch', { isAlone: false });
        await end(tx, 'fifth');
        expect(await lossesOf(tx, [id])).toEqual([2]);
      }));

    it('blame none of requests that ran beside it, which leave no other mark, but only once', () =>
      undone(async (tx) => {
        const id = await mark(tx, 'first', 'batch', { isAlone: false });
        await end(tx, 'first');
        const endWithRequests = async (worker: string): Promise<number[]> => {
          await tx.statement(poisoned.lost.begin({ worker, slot: 'alone', kind: KIND, ids: [id], isAlone: true }));
          await tx.statement(poisoned.lost.begin({ worker, slot: REQUESTS, kind: REQUESTS, ids: [] }));
          await end(tx, worker);
          return lossesOf(tx, [id]);
        };
        expect(await endWithRequests('second')).toEqual([1]);
        expect(await endWithRequests('third')).toEqual([2]);
      }));

    it('keep fresh work waiting for a limited time, which doubles, and only while something of them is to be run', () =>
      undone(async (tx) => {
        const id = await mark(tx, 'first', 'batch', { isAlone: false });
        await end(tx, 'first');
        await age(tx, 29);
        expect(await isFreshTaken(tx)).toBe(false);
        await age(tx, 31);
        expect(await isFreshTaken(tx)).toBe(true);
        await tx.statement(
          poisoned.lost.begin({ worker: 'second', slot: 'alone', kind: KIND, ids: [id], isAlone: true }),
        );
        await mark(tx, 'second', 'batch', { isAlone: false });
        await end(tx, 'second');
        await age(tx, 59);
        expect(await isFreshTaken(tx)).toBe(false);
        await age(tx, 61);
        expect(await isFreshTaken(tx)).toBe(true);
        await age(tx, 1);
        await tx.run('delete from lost_work where kind = $1', [KIND]);
        expect(await isFreshTaken(tx)).toBe(true);
      }));

    it('are taken up one at a time in a process, and during that time beside nothing', () =>
      undone(async (tx) => {
        const ids = [
          await mark(tx, 'first', 'batch', { isAlone: false }),
          await mark(tx, 'first', 'other', { isAlone: false }),
        ];
        await end(tx, 'first');
        await tx.run(`update lost_work set kind = 'other trial' where id = $1`, [ids[1]]);
        const take = (kind: string) => poisoned.lost.takeSuspect(tx, kind, 'second', `alone ${kind}`);
        const busy = { worker: 'second', slot: 'batch' };
        await tx.statement(poisoned.lost.begin({ ...busy, kind: KIND, ids: [newId()] }));
        expect(await take(KIND)).toBeNull();
        await tx.statement(poisoned.lost.end(busy));
        expect(await take(KIND)).toBe(ids[0]);
        expect(await take('other trial')).toBeNull();
        await age(tx, 31);
        // Also later: two suspects would protect each other.
        expect(await take('other trial')).toBeNull();
        await tx.statement(poisoned.lost.end({ worker: 'second', slot: `alone ${KIND}` }));
        await tx.statement(poisoned.lost.begin({ ...busy, kind: KIND, ids: [newId()] }));
        expect(await take('other trial')).toBe(ids[1]);
      }));

    it('are lost together where nothing is heard of their process', () =>
      undone(async (tx) => {
        const id = await mark(tx, 'first', 'alone', { isAlone: true });
        await tx.run(`update running_work set at = clock_timestamp() - interval '31 seconds' where worker = 'first'`);
        const young = await mark(tx, 'first', 'batch', { isAlone: false });
        const look = () => poisoned.lost.countLosses(tx, { ended: [], own: marks.worker, isSilenceLoss: true });
        await look();
        expect(await lossesOf(tx, [id, young])).toEqual([1, 0]);
        await tx.run(`update running_work set at = clock_timestamp() - interval '31 seconds' where worker = 'first'`);
        await look();
        expect(await lossesOf(tx, [id, young])).toEqual([1, 1]);
      }));
  });

  it('say that requests run beside lost work, from before they begin until that work has ended', async () => {
    const { trials } = marks;
    const hasMark = async (): Promise<boolean> => REQUESTS in (await slots());
    let end = (): void => undefined;
    const run = marks.alone(() => new Promise<void>((resolve) => (end = resolve)));
    await until(() => trials.suspectCount === 1);
    expect(await hasMark()).toBe(false);
    await trials.enter();
    expect(await hasMark()).toBe(true);
    await marks.renew();
    expect(await hasMark()).toBe(true);
    end();
    await run;
    expect(await hasMark()).toBe(false);
  });

  it('say it of work that waits for an answer from outside, until what follows the answer is alone', async () => {
    const { trials } = marks;
    const hasMark = async (): Promise<boolean> => REQUESTS in (await slots());
    let answer = (): void => undefined;
    let end = (): void => undefined;
    let isBack = false;
    const run = marks.alone(async (outside) => {
      await outside(() => new Promise<void>((resolve) => (answer = resolve)));
      isBack = true;
      await new Promise<void>((resolve) => (end = resolve));
    });
    await until(() => trials.suspectCount === 1);
    expect(await hasMark()).toBe(false);
    await trials.enter();
    expect(await hasMark()).toBe(true);
    trials.leave();
    answer();
    await until(() => isBack);
    expect(await hasMark()).toBe(false);
    end();
    await run;
    expect(await hasMark()).toBe(false);
  });

  it('of a message that was lost wait while other lost work runs alone in the process', async () => {
    const inbox = new Inbox(database, poisoned.lost, marks);
    const message = { consumer: 'trial', id: newId(), name: 'trial', spaceId: null, body: '{}' };
    await database.systemWrite('begin a trial', [
      marks.begin({ slot: 'alone trial', kind: KIND, ids: [newId()], isAlone: true }),
    ]);
    expect(await inbox.beginAlone(message)).toBe('elsewhere');
    await marks.release('alone trial');
    expect(await inbox.beginAlone(message)).toBe('alone');
    await inbox.endAlone(message, true);
  });
});
