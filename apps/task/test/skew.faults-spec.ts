import path from 'node:path';
import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { TaskActions, transform } from './task-actions';

const platform = usePlatform();
const MINUTES = 60_000;

/** The whole process believes in another time, its libraries included. */
const upcoming = (ms: number): Record<string, string> => ({
  NODE_OPTIONS: `--require ${path.resolve('proof/faults/skewed-clock.cjs')}`,
  SWITCHYARD_TEST_CLOCK_MS: String(ms),
});

describe('task services whose clocks are ten minutes apart', () => {
  let space: TestSpace;

  beforeAll(async () => {
    space = await platform.newSpace();
    await space.owner.patch(`/spaces/${space.id}`, { settings: { taskConcurrency: 50 } });
  });

  afterEach(async () => {
    await platform.service('task-2').stop();
    await platform.service('task').restart();
    await platform.service('task').ready();
  });

  it('run each due time once, and take nothing from each other before its time', async () => {
    const tasks = new TaskActions(space.owner);
    // Due by itself only long after this is over.
    const schedule = { cron: `${(new Date().getUTCMinutes() + 30) % 60} * * * *` };
    const scheduled = await Promise.all(
      Array.from({ length: 12 }, () => tasks.create({ type: 'SCHEDULE', schedule, steps: [transform('a', {})] })),
    );
    const leased = await tasks.create({ steps: [transform('a', {})] });
    // From here on the services are told nothing over the bus: a caller's clock this far off is refused there.
    await Promise.all([
      platform.service('task').restart(upcoming(-5 * MINUTES)),
      platform.service('task-2').start(upcoming(5 * MINUTES)),
    ]);
    // Held by a worker on another machine, which is not heard of any more.
    const [{ lease_until: leaseUntil } = { lease_until: '' }] = await platform.database.query<{ lease_until: string }>(
      `insert into task.executions (space_id, id, task_id, task_version, kind, status, steps, inputs, max_attempts, last_attempt,
         backoff_seconds, timeout_seconds, owner_id, correlation_id, depth, started_at, deadline_at, worker, epoch, lease_until)
       select space_id, gen_random_uuid(), id, version, 'MANUAL', 'RUNNING', steps, '{}', 1, 1, 0, 600, owner_id, gen_random_uuid(), 0,
         clock_timestamp(), clock_timestamp() + interval '10 minutes', 'elsewhere:1:x', 1, clock_timestamp() + interval '10 seconds'
         from task.tasks where id = $1 returning lease_until::text`,
      [leased.id],
    );
    const ids = scheduled.map(({ id }) => id as string);
    await platform.database.query(
      `update task.tasks set next_run_at = date_trunc('second', clock_timestamp()) where id = any($1::uuid[])`,
      [ids],
    );
    const rows = await until(
      async () => {
        const all = await platform.database.query<{
          task_id: string;
          status: string;
          takeovers: number;
          waited: boolean;
        }>(
          'select task_id, status, takeovers, finished_at >= $2::timestamptz as waited from task.executions where space_id = $1 and task_id = any($3::uuid[])',
          [space.id, leaseUntil, [...ids, leased.id]],
        );
        return all.length >= 13 && all.every(({ status }) => status === 'SUCCEEDED') ? all : null;
      },
      { timeoutMs: 120_000 },
    );
    expect(rows.map(({ task_id }) => task_id).sort()).toEqual([...ids, leased.id].sort());
    expect(rows.filter(({ takeovers }) => takeovers > 0)).toMatchObject([
      { task_id: leased.id, takeovers: 1, waited: true },
    ]);
    const [next] = await platform.database.query<{ early: number }>(
      `select count(*)::int as early from task.tasks where id = any($1::uuid[]) and next_run_at not between clock_timestamp() and clock_timestamp() + interval '1 hour'`,
      [ids],
    );
    expect(next?.early).toBe(0);
  }, 300_000);

  it('leave what one of them may not begin to the other', async () => {
    const tasks = new TaskActions(space.owner);
    const task = await tasks.create({ steps: [transform('a', {})] });
    // Its calls are refused for its clock, so it never learns whether the Space is suspended.
    await platform.service('task').restart(upcoming(-5 * MINUTES));
    const [{ id } = { id: '' }] = await platform.database.query<{ id: string }>(
      `insert into task.executions (space_id, id, task_id, task_version, kind, status, steps, inputs, max_attempts, last_attempt,
         backoff_seconds, timeout_seconds, owner_id, correlation_id, depth, started_at, deadline_at, epoch, run_at)
       select space_id, gen_random_uuid(), id, version, 'MANUAL', 'RUNNING', steps, '{}', 1, 1, 0, 600, owner_id, gen_random_uuid(), 0,
         clock_timestamp(), clock_timestamp() + interval '10 minutes', 1, clock_timestamp()
         from task.tasks where id = $1 returning id`,
      [task.id],
    );
    const find = async (): Promise<{ status: string; epoch: number } | undefined> => {
      const [row] = await platform.database.query<{ status: string; epoch: number }>(
        'select status, epoch from task.executions where space_id = $1 and id = $2',
        [space.id, id],
      );
      return row;
    };
    await until(async () => ((await find())?.epoch ?? 0) > 1);
    await platform.service('task-2').start(upcoming(5 * MINUTES));
    await until(async () => (await find())?.status === 'SUCCEEDED', { timeoutMs: 60_000 });
  }, 300_000);
});
