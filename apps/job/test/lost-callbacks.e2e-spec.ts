import { Database, type Tx } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { usePlatform } from '@switchyard/testing';
import { CallbacksRepository } from '../src/db/callbacks.repository';
import { JobClaimsRepository } from '../src/db/job-claims.repository';
import { JobActions } from './job-actions';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const callbacks = new CallbacksRepository();
const jobClaims = new JobClaimsRepository();
const ROLLED_BACK = 'rolled back by the test';

describe('callbacks whose process ended', () => {
  let database: Database;
  let spaceId: string;
  let jobIds: string[];

  beforeAll(async () => {
    database = new Database({ service: 'job', url: platform.state.databaseLogins['job'] ?? '', poolSize: 1, log });
    await database.connect();
    const space = await platform.newSpace();
    spaceId = space.id;
    const jobs = await JobActions.open(space);
    jobIds = [];
    for (let at = 0; at < 4; at += 1) jobIds.push((await jobs.submit('hello')).id as string);
    for (const id of jobIds) await jobs.reaches(id, 'SUCCEEDED');
  });

  afterAll(() => database.close());

  /** In a transaction that is undone, so that no service takes part. */
  async function undone(work: (tx: Tx) => Promise<void>): Promise<void> {
    const run = database.system('try losses out', async (tx) => {
      await tx.run(`delete from lost_work where kind like 'trial of %'`);
      await work(tx);
      throw new Error(ROLLED_BACK);
    });
    await expect(run).rejects.toThrow(ROLLED_BACK);
  }

  /** One callback for each number of losses. */
  async function waiting(tx: Tx, losses: readonly number[]): Promise<string[]> {
    const ids = losses.map(() => newId());
    await tx.run(
      `insert into callbacks (space_id, id, job_id, url, body, takeovers, lost_at)
       select $1, id, job_id, 'http://127.0.0.1:1/', '{}', losses, case when losses > 0 then now() end
         from unnest($2::uuid[], $3::uuid[], $4::int[]) as given (id, job_id, losses)`,
      [spaceId, ids, jobIds.slice(0, ids.length), losses],
    );
    return ids;
  }

  const claim = async (tx: Tx, worker: string, bytes = 1e9): Promise<string[]> =>
    (await callbacks.claim(tx, worker, [{ spaceId, queueId: spaceId, slots: 10, bytes }])).map(({ id }) => id);
  const settle = async (tx: Tx, worker: string, id: string): Promise<boolean> => {
    const attempt = { at: new Date().toISOString(), status: 200, durationMs: 1, error: null, retryAfterMs: null };
    const claimed = { spaceId, queueId: spaceId, id, bytes: 2, isSuspect: false };
    return callbacks.settle(tx, worker, claimed, { attempt, after: { kind: 'delivered' } });
  };
  const ending = (worker: string) => ({ ended: [worker], own: 'own', isSilenceLoss: false });
  const lossesOf = async (tx: Tx, table: 'callbacks' | 'jobs', id: string): Promise<number | undefined> =>
    (await tx.one<{ takeovers: number }>(`select takeovers from ${table} where id = $1`, [id]))?.takeovers;

  it('are taken one at a time, and the others are delivered meanwhile', () =>
    undone(async (tx) => {
      const [first = '', second = '', ...fresh] = await waiting(tx, [1, 1, 0, 0]);
      expect(await claim(tx, 'w@one')).toEqual([first]);
      expect((await claim(tx, 'w@one')).sort()).toEqual([...fresh].sort());
      expect(await claim(tx, 'w@other')).toEqual([second]);
      expect(await claim(tx, 'w@one')).toEqual([]);
    }));

  it('are free again, and their losses forgotten when an attempt was made', () =>
    undone(async (tx) => {
      const [id = ''] = await waiting(tx, [0]);
      expect(await claim(tx, 'w@one')).toEqual([id]);
      expect(await claim(tx, 'w@other')).toEqual([]);
      expect(await callbacks.rows.releaseLapsed(tx, ending('w@one'))).toBe(1);
      expect(await lossesOf(tx, 'callbacks', id)).toBe(1);
      expect(await claim(tx, 'w@other')).toEqual([id]);
      // The process that had it may have sent it: it stores no outcome any more.
      expect(await settle(tx, 'w@one', id)).toBe(false);
      expect(await settle(tx, 'w@other', id)).toBe(true);
      expect(await lossesOf(tx, 'callbacks', id)).toBe(0);
      expect(await claim(tx, 'w@other')).toEqual([]);
    }));

  it('are abandoned after the second loss that they had alone', () =>
    undone(async (tx) => {
      const [id = ''] = await waiting(tx, [1]);
      expect(await claim(tx, 'w@one')).toEqual([id]);
      await callbacks.rows.releaseLapsed(tx, ending('w@one'));
      expect(await callbacks.rows.failCrashed(tx)).toEqual([{ kind: 'callback', id, spaceId, losses: 2 }]);
      expect(await claim(tx, 'w@other')).toEqual([]);
      expect(await callbacks.rows.startAgain(tx, spaceId, id)).toBe('again');
      expect(await claim(tx, 'w@other')).toEqual([id]);
    }));

  it.each([
    ['callbacks', [callbacks.rows, jobClaims]],
    ['jobs', [jobClaims, callbacks.rows]],
  ])('are to blame rather than a job that was lost with them, if the %s are counted first', (_, counted) =>
    undone(async (tx) => {
      const [id = ''] = await waiting(tx, [1]);
      const [jobId = ''] = jobIds;
      await tx.run(
        `update jobs set phase = 'RUNNING', worker = 'w@one', lease_until = now() + interval '1 hour', takeovers = 1, lost_at = now() where id = $1`,
        [jobId],
      );
      await claim(tx, 'w@one');
      for (const table of counted) await table.releaseLapsed(tx, ending('w@one'));
      expect(await lossesOf(tx, 'callbacks', id)).toBe(2);
      expect(await lossesOf(tx, 'jobs', jobId)).toBe(1);
    }),
  );

  it('are few at a time if they are long, at least one', () =>
    undone(async (tx) => {
      const [first = '', second = '', third = ''] = await waiting(tx, [0, 0, 0]);
      await tx.run(`update callbacks set body = repeat('x', 1000) where space_id = $1`, [spaceId]);
      await tx.run(`update callbacks set due_at = now() - interval '2 hours' where id = $1`, [first]);
      await tx.run(`update callbacks set due_at = now() - interval '1 hour' where id = $1`, [second]);
      expect(await claim(tx, 'w@one', 1)).toEqual([first]);
      expect(await claim(tx, 'w@one', 1999)).toEqual([second]);
      expect(await claim(tx, 'w@one', 1999)).toEqual([third]);
    }));
});
