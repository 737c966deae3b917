import { Database, LostWork, type Tx } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { usePlatform } from '@switchyard/testing';
import { ExecutionClaimsRepository } from '../src/db/execution-claims.repository';
import { TaskActions, transform } from './task-actions';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const claims = new ExecutionClaimsRepository();

class Undone extends Error {}

describe('executions whose process ended', () => {
  let database: Database;
  let taskId: string;

  beforeAll(async () => {
    database = new Database({ service: 'task', url: platform.state.databaseLogins['task'] ?? '', poolSize: 1, log });
    await database.connect();
    const space = await platform.newSpace();
    taskId = (await new TaskActions(space.owner).create({ steps: [transform('a', { n: 1 })] })).id;
  });

  afterAll(() => database.close());

  /** In a transaction that is undone, so that no service takes part. */
  async function undone(work: (tx: Tx) => Promise<void>): Promise<void> {
    const run = database.system('try losses out', async (tx) => {
      await tx.run(`delete from lost_work where kind = 'trial of executions'`);
      await work(tx);
      throw new Undone();
    });
    await expect(run).rejects.toThrow(Undone);
  }

  /** Executions that a worker has had for an hour, `losses` times lost before. */
  async function given(tx: Tx, worker: string, losses: readonly number[]): Promise<string[]> {
    const ids = losses.map(() => newId());
    await tx.run(
      `insert into executions (space_id, id, task_id, task_version, kind, status, steps, inputs, max_attempts, last_attempt,
         backoff_seconds, timeout_seconds, owner_id, correlation_id, depth, epoch, run_at, started_at, deadline_at, worker,
         lease_until, taken_at, takeovers, lost_at)
       select t.space_id, given.id, t.id, 1, 'MANUAL', 'RUNNING', t.steps, '{}', 1, 1, 1, 7200, t.owner_id, gen_random_uuid(), 0, 3,
         now(), now(), now() + interval '1 hour', $2, now() + interval '20 s', now() - interval '1 hour', given.losses,
         case when given.losses > 0 then now() - interval '2 hours' end
         from tasks t, unnest($3::uuid[], $4::int[]) as given (id, losses) where t.id = $1`,
      [taskId, worker, ids, losses],
    );
    return ids;
  }

  const end = (tx: Tx, worker: string) =>
    claims.releaseLapsed(tx, { ended: [worker], own: 'own', isSilenceLoss: false });
  async function lossesOf(tx: Tx, ids: readonly string[]): Promise<number[]> {
    const rows = await tx.query<{ id: string; takeovers: number }>(
      'select id, takeovers from executions where id = any($1)',
      [ids],
    );
    return ids.map((id) => rows.find((row) => row.id === id)?.takeovers ?? -1);
  }
  async function claim(tx: Tx, worker: string, ids: readonly string[]): Promise<string[]> {
    const share = { slots: 10, bytes: 1e9 };
    const rows = await tx.statement<{ id: string }>(
      claims.claimLoose(worker, { capacity: share, share, used: new Map(), payers: new Map() }),
    );
    return rows.map(({ id }) => id).filter((id) => ids.includes(id));
  }
  const isFreshTaken = async (tx: Tx): Promise<boolean> => (await tx.statement(claims.noFresh)).length === 0;

  it('are both innocent if two ran together, then run one at a time, and the one that ends its process alone counts', () =>
    undone(async (tx) => {
      const ids = await given(tx, 'first', [1, 1]);
      await end(tx, 'first');
      expect(await lossesOf(tx, ids)).toEqual([1, 1]);
      const claimed = await claim(tx, 'second', ids);
      expect(claimed).toHaveLength(1);
      // However long it runs meanwhile.
      await tx.run(`update executions set taken_at = now() - interval '10 s' where worker = 'second'`);
      expect(await claim(tx, 'second', ids)).toEqual([]);
      expect(await isFreshTaken(tx)).toBe(false);
      await end(tx, 'second');
      expect(await lossesOf(tx, ids)).toEqual(ids.map((id) => (id === claimed[0] ? 2 : 1)));
    }));

  it('do not count for one that was lost before if fresh work ran beside it', () =>
    undone(async (tx) => {
      const ids = await given(tx, 'first', [1, 0]);
      await end(tx, 'first');
      expect(await lossesOf(tx, ids)).toEqual([1, 1]);
    }));

  it('do not count for one that was lost before if the leases of its process expire one after the other', () =>
    undone(async (tx) => {
      const ids = await given(tx, 'first@a process', [1, 0]);
      const expire = async (id: string | undefined): Promise<void> => {
        await tx.run(`update executions set lease_until = now() - interval '1 s' where id = $1`, [id]);
        await claims.releaseLapsed(tx, { ended: [], own: 'own', isSilenceLoss: true });
      };
      await expire(ids[1]);
      expect(await lossesOf(tx, ids)).toEqual([1, 1]);
      await expire(ids[0]);
      expect(await lossesOf(tx, ids)).toEqual([1, 1]);
      // After a series of such losses fresh work excuses nothing.
      await given(tx, 'first@another process', [0]);
      await end(tx, 'first@another process');
      await tx.run(`update lost_work set losses = 3 where kind = 'trial of executions'`);
      await tx.run(`update executions set worker = 'second@another process' where id = $1`, [ids[0]]);
      await end(tx, 'second@another process');
      expect(await lossesOf(tx, ids)).toEqual([2, 1]);
    }));

  it('do not count if marked work ended their process, also if that was lost in another process since', () =>
    undone(async (tx) => {
      const counter = new LostWork(database);
      const marked = newId();
      const loseMarked = async (process: string): Promise<void> => {
        const worker = `marks@${process}`;
        await tx.statement(counter.begin({ worker, slot: 'a', kind: 'a kind', ids: [marked], isAlone: true }));
        await counter.countLosses(tx, { ended: [worker], own: 'own', isSilenceLoss: false });
      };
      await loseMarked('first process');
      await loseMarked('second process');
      const [ofFirst, ofOther] = [
        await given(tx, 'worker@first process', [1]),
        await given(tx, 'worker@third process', [1]),
      ];
      await end(tx, 'worker@first process');
      await end(tx, 'worker@third process');
      expect(await lossesOf(tx, [...ofFirst, ...ofOther])).toEqual([1, 2]);
    }));

  it('keep fresh work waiting for a limited time, which doubles with each loss that shows nothing', () =>
    undone(async (tx) => {
      const ids = await given(tx, 'first', [1, 1]);
      const age = (seconds: number) =>
        tx.run(
          `update lost_work set lost_at = clock_timestamp() - make_interval(secs => $1) where kind = 'trial of executions'`,
          [seconds],
        );
      await end(tx, 'first');
      await age(29);
      expect(await isFreshTaken(tx)).toBe(false);
      await age(31);
      expect(await isFreshTaken(tx)).toBe(true);
      await tx.run(`update executions set worker = 'second', lease_until = now() where id = any($1)`, [ids]);
      await end(tx, 'second');
      await age(59);
      expect(await isFreshTaken(tx)).toBe(false);
      await age(61);
      expect(await isFreshTaken(tx)).toBe(true);
    }));
});
