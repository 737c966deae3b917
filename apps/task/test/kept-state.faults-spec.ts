import {
  type Client,
  type CounterTable,
  type TestSpace,
  missingSpaces,
  until,
  usePlatform,
  wrongCounters,
} from '@switchyard/testing';
import { type Step, TaskActions, transform, wait } from './task-actions';

const platform = usePlatform();
const EXECUTIONS: CounterTable = {
  schema: 'task',
  table: 'executions',
  status: 'status',
  owner: null,
  queued: ['QUEUED'],
};
const EACH = 30;
/** Of these, how many a Space has got at least when the service is killed. */
const SOME = 6;
const failing: Step = { id: 'bad', type: 'http', with: { url: 'http://127.0.0.2:9/' }, retry: { maxAttempts: 1 } };

/** Tasks whose executions succeed, wait and fail. */
async function openDesk({ owner }: TestSpace): Promise<{ client: Client; tasks: string[] }> {
  const actions = new TaskActions(owner);
  const tasks = await Promise.all([
    actions.create({ steps: [transform('a', { n: 1 })] }),
    actions.create({ steps: [wait('w', 1), transform('a', { n: 1 })], concurrency: { limit: 2 } }),
    actions.create({ steps: [failing], retry: { maxAttempts: 2, backoffSeconds: 1 } }),
  ]);
  return { client: owner, tasks: tasks.map(({ id }) => id) };
}

/** Starts executions, and cancels some of them. While the service is gone, a request may be refused. */
async function storm({ client, tasks }: { client: Client; tasks: string[] }): Promise<void> {
  const all = Array.from({ length: EACH }, async (_, n) => {
    const reply = await client.post(`/tasks/${tasks[n % tasks.length]}/execute`, {});
    if (n % 5 === 0 && reply.status === 202) await client.post(`/tasks/executions/${reply.body.data.id}/cancel`, {});
  });
  await Promise.all(all);
}

describe('a storm of executions through which the service is killed again and again', () => {
  it('leaves counters that equal a recount, and loses no Space that waits', async () => {
    const spaces = await Promise.all([platform.newSpace(), platform.newSpace(), platform.newSpace()]);
    const ids = spaces.map(({ id }) => id);
    const all = await Promise.all(spaces.map((space) => openDesk(space)));
    for (let round = 0; round < 3; round += 1) {
      await platform.service('task').ready();
      const began = new Date();
      const storms = Promise.all(all.map((tasks) => storm(tasks)));
      // In the middle of it: every Space has got some of its executions, and something runs.
      await until(async () => {
        const grown = await platform.database.query<{ isRunning: boolean }>(
          `select bool_or(status = 'RUNNING') as "isRunning" from task.executions
            where space_id = any($1) and created_at >= $2 group by space_id having count(*) >= $3`,
          [ids, began, SOME],
        );
        return grown.length === ids.length && grown.some(({ isRunning }) => isRunning);
      });
      await platform.service('task').crash();
      expect(await wrongCounters(platform.database, EXECUTIONS, ids)).toEqual([]);
      expect(await missingSpaces(platform.database, EXECUTIONS, ids)).toEqual([]);
      await storms;
    }
    // While the service is away, every cancel of the storm may be refused.
    const { owner } = spaces[0];
    const long = await new TaskActions(owner).create({ steps: [wait('w', 60)] });
    const { id } = (await owner.post(`/tasks/${long.id}/execute`, {})).body.data;
    expect((await owner.post(`/tasks/executions/${id}/cancel`, {})).status).toBe(200);
    await until(
      async () => {
        const open = `select 1 from task.executions where space_id = any($1) and status in ('QUEUED', 'RUNNING')`;
        return (await platform.database.query(open, [ids])).length === 0;
      },
      { timeoutMs: 180_000 },
    );
    expect(await wrongCounters(platform.database, EXECUTIONS, ids)).toEqual([]);
    const seen = await platform.database.query<{ status: string }>(
      'select distinct status from task.executions where space_id = any($1)',
      [ids],
    );
    expect(seen.map(({ status }) => status)).toEqual(expect.arrayContaining(['SUCCEEDED', 'FAILED', 'CANCELLED']));
    // With nothing left to run, no Space is looked into for nothing.
    await until(async () => {
      const due = `select 1 from task.ready_spaces where space_id = any($1) and due_at < 'infinity'`;
      return (await platform.database.query(due, [ids])).length === 0;
    });
    for (const space of spaces) {
      const counts = await space.owner.get('/activity/counts');
      const [row] = await platform.database.query<{ n: number }>(
        `select count(*)::int as n from task.executions where space_id = $1 and status = 'SUCCEEDED'`,
        [space.id],
      );
      expect(counts.body.data).toContainEqual({ kind: 'execution', status: 'SUCCEEDED', count: row?.n });
    }
  }, 400_000);
});
