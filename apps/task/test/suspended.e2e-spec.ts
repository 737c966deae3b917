import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { Listener } from './listener';
import { type Step, TaskActions, transform } from './task-actions';

const platform = usePlatform();

const decide = async (space: TestSpace, verb: 'suspend' | 'resume'): Promise<void> => {
  const body = verb === 'suspend' ? { reason: 'a test' } : {};
  expect((await space.operator.post(`/operator/spaces/${space.id}/${verb}`, body)).status).toBe(200);
};
const ceilings = (space: TestSpace, values: object) =>
  space.operator.patch(`/operator/spaces/${space.id}`, { ceilings: values });

interface ExecutionRow {
  status: string;
  worker: string | null;
  steps: number;
}

const rowOf = async (space: TestSpace): Promise<ExecutionRow | undefined> =>
  (
    await platform.database.query<ExecutionRow>(
      `select e.status, e.worker, (select count(*)::int from task.execution_steps s where s.execution_id = e.id
          and s.status = 'SUCCEEDED') as steps
       from task.executions e where e.space_id = $1`,
      [space.id],
    )
  )[0];

describe('while a Space is suspended', () => {
  it('an execution stops at its next step, and goes on when it is resumed', async () => {
    const space = await platform.newSpace();
    const tasks = new TaskActions(space.owner);
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const listener = await Listener.open(() => ({ after: answered }));
    const task = await tasks.create({
      steps: [
        { id: 'call', type: 'http', with: { method: 'GET', url: listener.url } },
        { id: 'again', type: 'http', with: { method: 'GET', url: `${listener.url}/again` } },
      ],
    });
    const id = await tasks.start(task.id);
    await until(() => listener.heard.length === 1);
    await decide(space, 'suspend');
    answer();
    // The step that ran has ended, and no worker has the next one.
    await until(async () => {
      const row = await rowOf(space);
      return row?.status === 'RUNNING' && row.worker === null && row.steps === 1;
    });
    expect(listener.heard.map(({ path }) => path)).toEqual(['/']);
    await decide(space, 'resume');
    await tasks.reaches(id, 'SUCCEEDED');
    expect(listener.heard.map(({ path }) => path)).toEqual(['/', '/again']);
    listener.close();
  });

  it('a step that was under way outlasts the timeout of its task, and runs again when the Space is resumed', async () => {
    const space = await platform.newSpace();
    const tasks = new TaskActions(space.owner);
    const never = new Promise<void>(() => undefined);
    const listener = await Listener.open((_, count) => (count < 2 ? { after: never } : {}));
    const steps: Step[] = [{ id: 'call', type: 'http', with: { method: 'GET', url: listener.url } }];
    const id = await tasks.start((await tasks.create({ steps, timeoutSeconds: 5 })).id);
    await until(() => listener.heard.length === 1);
    await decide(space, 'suspend');
    // The timer that was set when the execution was claimed has fired.
    await until(async () => (await rowOf(space))?.worker === null);
    expect((await rowOf(space))?.status).toBe('RUNNING');
    await decide(space, 'resume');
    expect(await tasks.reaches(id, 'SUCCEEDED')).toMatchObject({ attempt: 1 });
    expect(new Set(listener.heard.map(({ headers }) => headers['idempotency-key']))).toEqual(new Set([`${id}:call`]));
    listener.close();
  });

  it('the time of an execution stands still, however long that takes', async () => {
    const [space, other] = [await platform.newSpace(), await platform.newSpace()];
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const listener = await Listener.open(({ path }) => (path === '/never' ? { after: never } : { after: answered }));
    const never = new Promise<void>(() => undefined);
    const http = (id: string, url: string): Step => ({ id, type: 'http', with: { method: 'GET', url } });
    const start = async (tasks: TaskActions, steps: Step[]): Promise<string> =>
      tasks.start((await tasks.create({ steps })).id);
    const tasks = new TaskActions(space.owner);
    const id = await start(tasks, [http('call', listener.url), transform('a', { b: 1 })]);
    await start(new TaskActions(other.owner), [http('call', `${listener.url}/never`)]);
    await until(() => listener.heard.length === 2);
    await decide(space, 'suspend');
    answer();
    await until(async () => (await rowOf(space))?.worker === null);
    // An hour passes, and one minute of it is more than either of them has.
    await platform.database.query(
      `update task.stopped_clocks set since = since - interval '1 hour' where space_id = $1`,
      [space.id],
    );
    await platform.database.query(
      `update task.executions set deadline_at = clock_timestamp() - interval '1 minute' where space_id = any($1)`,
      [[space.id, other.id]],
    );
    await until(async () => (await rowOf(other))?.status === 'TIMED_OUT');
    expect((await rowOf(space))?.status).toBe('RUNNING');
    await decide(space, 'resume');
    await tasks.reaches(id, 'SUCCEEDED');
    listener.close();
  });

  it('a schedule that falls due does what its misfire says when it is resumed', async () => {
    const space = await platform.newSpace();
    const tasks = new TaskActions(space.owner);
    const yearly = { cron: '0 0 1 1 *', timezone: 'UTC' };
    const made: string[] = [];
    for (const misfire of ['SKIP', 'RUN_ONCE'])
      made.push(
        (
          await tasks.create({
            type: 'SCHEDULE',
            schedule: { ...yearly, misfire },
            steps: [transform('a', { b: 1 })],
          })
        ).id,
      );
    await decide(space, 'suspend');
    await platform.database.query(
      `update task.tasks set next_run_at = date_trunc('year', clock_timestamp()) where space_id = $1`,
      [space.id],
    );
    const looks = async (): Promise<number> =>
      (
        await platform.database.query(
          'select 1 from task.tasks where space_id = $1 and next_look_at > clock_timestamp()',
          [space.id],
        )
      ).length;
    await until(async () => (await looks()) === 2);
    expect(await rowOf(space)).toBeUndefined();
    await decide(space, 'resume');
    const runsOf = async (taskId: string): Promise<number> =>
      (await space.owner.get(`/tasks/${taskId}/executions`)).body.data.length;
    await until(async () => (await runsOf(made[1] ?? '')) === 1);
    await until(
      async () =>
        (
          await platform.database.query('select 1 from task.tasks where space_id = $1 and next_run_at < now()', [
            space.id,
          ])
        ).length === 0,
    );
    expect(await runsOf(made[0] ?? '')).toBe(0);
  });
});

describe('the ceiling taskConcurrency', () => {
  it('lets executions wait, also at 0, and refuses a setting above it', async () => {
    const space = await platform.newSpace();
    const tasks = new TaskActions(space.owner);
    await ceilings(space, { taskConcurrency: 0 });
    const task = await tasks.create({ steps: [transform('a', { b: 1 })] });
    const id = await tasks.start(task.id);
    const refused = await space.owner.patch(`/spaces/${space.id}`, { settings: { taskConcurrency: 1 } });
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('ceiling taskConcurrency')]);
    // Looked into, and put off.
    await until(
      async () =>
        (
          await platform.database.query(
            'select 1 from task.ready_spaces where space_id = $1 and due_at > clock_timestamp()',
            [space.id],
          )
        ).length === 1,
    );
    expect((await tasks.read(id)).status).toBe('QUEUED');
    await ceilings(space, { taskConcurrency: 5 });
    await tasks.reaches(id, 'SUCCEEDED');
    const allowed = await space.owner.patch(`/spaces/${space.id}`, { settings: { taskConcurrency: 5 } });
    expect(allowed.status).toBe(200);
  });
});
