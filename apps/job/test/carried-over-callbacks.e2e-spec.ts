import { randomBytes } from 'node:crypto';
import { migrate, prepareDatabase } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { AdminDatabase, until, usePlatform } from '@switchyard/testing';
import { migrations } from '../src/db/migrations';
import { LeasedCallbacks1700000005000 } from '../src/db/migrations/0005-leased-callbacks';
import { JobActions } from './job-actions';
import { Listener } from './listener';

const platform = usePlatform();
/** Also as after a crash between its steps: what is there already stays. */
class BackAndForth1799999999999 extends LeasedCallbacks1700000005000 {
  override async up(runner: Parameters<LeasedCallbacks1700000005000['up']>[0]): Promise<void> {
    await super.down(runner);
    await super.up(runner);
    await super.up(runner);
  }
}

const COLUMNS = 'space_id, id, job_id, url, body, attempts, due_at, last_result';

describe('callbacks of the version before', () => {
  it('are carried over with their losses by the migration, and back', async () => {
    const name = `callbacks_${randomBytes(6).toString('hex')}`;
    await platform.database.query(`create database ${name}`);
    const url = new URL(platform.state.databaseUrl);
    url.pathname = `/${name}`;
    const database = new AdminDatabase(() => url.href);
    try {
      const at = migrations.indexOf(LeasedCallbacks1700000005000);
      await prepareDatabase(url.href, [{ service: 'job', password: 'unused' }]);
      await migrate(url.href, { service: 'job', migrations: migrations.slice(0, at) });
      const spaceId = newId();
      const [waiting, lost, delivered] = [newId(), newId(), newId()];
      for (const id of [waiting, lost, delivered])
        await database.query(
          `with job as (
             insert into job.jobs (space_id, id, type, agent_id, input, phase, max_attempts, priority, timeout_seconds, metadata,
               created_by, scopes, credential_type, depth)
             values ($1, $2, 'AGENT_INVOKE', $2, '{}', 'SUCCEEDED', 1, 5, 60, '{}', $2, '{}', 'user', 0))
           insert into job.callbacks (space_id, id, job_id, url, body, attempts, due_at, last_result, delivered_at)
           values ($1, $2, $2, 'http://127.0.0.2:1/', '{}', 3, '2100-01-01', '503', case when $3 then now() end)`,
          [spaceId, id, id === delivered],
        );
      // By an operator's list; and one of a callback that is deleted.
      await database.query(
        `insert into job.lost_work (kind, id, losses, given_up_at) values ('callback', $1, 1, null), ('callback', $2, 1, null),
           ('callback', $3, 2, now()), ('message', $4, 1, null)`,
        [lost, newId(), newId(), newId()],
      );
      const rows = (columns: string) =>
        database.query<Record<string, unknown>>(`select ${columns} from job.callbacks order by id`);
      const before = await rows(`${COLUMNS}, delivered_at`);

      expect(await migrate(url.href, { service: 'job', migrations })).toEqual([LeasedCallbacks1700000005000.name]);
      expect(await rows(`${COLUMNS}, delivered_at`)).toEqual(before);
      expect(await rows('id, takeovers, lost_at is not null as "hasLoss", worker, attempt_log as log')).toEqual([
        { id: waiting, takeovers: 0, hasLoss: false, worker: null, log: [] },
        { id: lost, takeovers: 1, hasLoss: true, worker: null, log: [] },
        { id: delivered, takeovers: 0, hasLoss: false, worker: null, log: [] },
      ]);
      expect(await database.query('select kind from job.lost_work order by kind')).toEqual([
        { kind: 'callback' },
        { kind: 'message' },
      ]);
      expect(
        await database.query(`select 1 from job.lost_work where kind = 'callback' and given_up_at is null`),
      ).toEqual([]);

      expect(
        await migrate(url.href, { service: 'job', migrations: [...migrations, BackAndForth1799999999999] }),
      ).toEqual([BackAndForth1799999999999.name]);
      expect(await rows(`${COLUMNS}, delivered_at`)).toEqual(before);
    } finally {
      await database.close();
      await platform.database.query(`drop database ${name} with (force)`);
    }
  });

  it('are sent with the attempts that they have left', async () => {
    const listener = await Listener.open((count) => (count === 2 ? 200 : 500));
    const space = await platform.newSpace();
    const jobs = await JobActions.open(space);
    const [last, next] = [await jobs.submit('Hi'), await jobs.submit('Hi')];
    for (const { id } of [last, next]) await jobs.reaches(id, 'SUCCEEDED');
    const waitingRow = (jobId: string, attempts: number, since: string) =>
      platform.database.query(
        `insert into job.callbacks (space_id, id, job_id, url, body, attempts, due_at) values ($1, $2, $3, $4, '{"a":1}', $5, now() - $6::interval)`,
        [space.id, newId(), jobId, listener.url, attempts, since],
      );
    const end = (jobId: string) =>
      until(async () => {
        const [row] = await platform.database.query<Record<string, unknown>>(
          `select attempts, last_result, delivered_at is not null as delivered, given_up_at is not null as ended
             from job.callbacks where job_id = $1 and num_nonnulls(delivered_at, given_up_at) = 1`,
          [jobId],
        );
        return row;
      });
    await waitingRow(last.id, 8, '1 minute');
    expect(await end(last.id)).toEqual({ attempts: 9, last_result: '500', delivered: false, ended: true });
    await waitingRow(next.id, 3, '1 minute');
    expect(await end(next.id)).toEqual({ attempts: 4, last_result: '200', delivered: true, ended: false });
    expect(listener.received.map(({ body }) => body)).toEqual(['{"a":1}', '{"a":1}']);
    listener.close();
  });
});
