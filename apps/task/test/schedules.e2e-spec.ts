import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { TaskActions, transform } from './task-actions';

const platform = usePlatform();
let space: TestSpace;
let tasks: TaskActions;
beforeAll(async () => {
  space = await platform.newSpace();
  tasks = new TaskActions(space.owner);
});

const steps = [transform('a', { at: '{{ execution.scheduledFor }}' })];
// Its own time must not come while it is tested.
const yearly = { cron: '0 0 1 1 *', timezone: 'Europe/Berlin', misfire: 'SKIP' };
const executionsOf = async (taskId: string) => (await space.owner.get(`/tasks/${taskId}/executions`)).body.data;
const setDue = (taskId: string, sql: string) =>
  platform.database.query(`update task.tasks set next_run_at = ${sql} where id = $1`, [taskId]);

describe('a schedule', () => {
  it('says when it comes next, and only while it is active', async () => {
    const task = await tasks.create({ type: 'SCHEDULE', schedule: { cron: '0 * * * *' }, steps });
    expect(task.schedule).toEqual({ cron: '0 * * * *', timezone: 'UTC', misfire: 'SKIP' });
    expect(Date.parse(task.nextRunAt) - Date.now()).toBeLessThanOrEqual(3_600_000);
    const off = await space.owner.put(`/tasks/${task.id}`, { active: false });
    expect(off.body.data.nextRunAt).toBeNull();
    const on = await space.owner.put(`/tasks/${task.id}`, {
      active: true,
      schedule: { cron: '30 9 * * 1', timezone: 'America/New_York' },
    });
    expect(new Date(on.body.data.nextRunAt).getUTCMinutes()).toBe(30);
  });

  it('starts an execution when its time has come, once, and goes on to the next', async () => {
    const task = await tasks.create({ type: 'SCHEDULE', schedule: yearly, steps });
    await setDue(task.id, `date_trunc('second', clock_timestamp())`);
    const [execution] = await until(async () => {
      const all = await executionsOf(task.id);
      return all[0]?.status === 'SUCCEEDED' && all;
    });
    expect(execution).toMatchObject({
      trigger: null,
      requestedBy: null,
      depth: 0,
      inputs: {},
      output: { at: execution.scheduledFor },
    });
    const { nextRunAt } = (await space.owner.get(`/tasks/${task.id}`)).body.data;
    expect(Date.parse(nextRunAt)).toBeGreaterThan(Date.now());
    // The same due time again, as a replica that comes late would have it: nothing more happens.
    await setDue(task.id, `'${execution.scheduledFor}'`);
    await until(async () => (await space.owner.get(`/tasks/${task.id}`)).body.data.nextRunAt === nextRunAt);
    expect(await executionsOf(task.id)).toHaveLength(1);
  });

  it.each([
    ['SKIP', 0],
    ['RUN_ONCE', 1],
  ] as const)('lets missed times be run as it says: %s', async (misfire, runs) => {
    const task = await tasks.create({ type: 'SCHEDULE', schedule: { ...yearly, misfire }, steps });
    const { nextRunAt } = task;
    // Hours ago, and both the last due time and the next one half an hour away, whenever the test runs.
    await platform.database.query(
      `update task.tasks set next_run_at = date_trunc('minute', now()) - interval '5 hours 30 minutes',
         schedule = jsonb_set(schedule, '{cron}', to_jsonb(extract(minute from now() + interval '30 minutes') || ' * * * *'))
       where id = $1`,
      [task.id],
    );
    await until(async () => Date.parse((await space.owner.get(`/tasks/${task.id}`)).body.data.nextRunAt) > Date.now());
    expect(nextRunAt).not.toBeNull();
    const all = await executionsOf(task.id);
    expect(all).toHaveLength(runs);
  });
});
