import { type Answer, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { TaskUsageRepository } from '../src/db/task-usage.repository';
import { TaskActions, transform } from './task-actions';

const platform = usePlatform();
let space: TestSpace;
let tasks: TaskActions;
beforeAll(async () => {
  space = await platform.newSpace();
  tasks = new TaskActions(space.owner);
});

const usage = async (taskId: string, query = ''): Promise<Answer> => {
  const { status, body } = await space.owner.get(`/tasks/${taskId}/usage${query}`);
  expect(status).toBe(200);
  return body.data;
};

/** Runs of the past, written as they would have ended. */
const addRuns = (taskId: string, count: number, status: string, at: string): Promise<unknown> =>
  platform.database.query(
    `insert into task.executions (space_id, id, task_id, task_version, kind, status, steps, inputs, max_attempts, last_attempt,
       backoff_seconds, timeout_seconds, depth, created_at, finished_at)
     select $1, gen_random_uuid(), $2, 1, 'SCHEDULE', $3, '[]', '{}', 1, 1, 0, 60, 0, $4::timestamptz - n * interval '1 ms', $4
       from generate_series(1, $5::int) as n`,
    [space.id, taskId, status, at, count],
  );

describe('the usage of a task', () => {
  it('has its runs, failures and last run, and what its agent steps cost', async () => {
    const agent = await space.owner.post('/agents', { name: 'Counter', model: 'sim-chat', systemPrompt: 'Count.' });
    const { id } = await tasks.create({
      steps: [
        transform('name', { value: 'Mara' }),
        { id: 'greet', type: 'agent', with: { agentId: agent.body.data.id, inputs: { query: '@@reply Hello' } } },
        { id: 'after', type: 'http', if: '{{ execution.inputs.fail }}', with: { url: '{{ "http://127.0.0.1:1/" }}' } },
      ],
    });
    expect(await usage(id)).toMatchObject({ runs: 0, failed: 0, lastRunAt: null, tokens: 0, cost: 0, costOf: 0 });
    await tasks.reaches(await tasks.start(id), 'SUCCEEDED');
    const failed = await tasks.reaches(await tasks.start(id, { fail: true }), 'FAILED');
    const counted = await usage(id);
    expect(counted).toMatchObject({ runs: 2, failed: 1, atLeast: false, lastRunAt: failed.createdAt, costOf: 2 });
    const byAgent = await space.owner.get('/usage?groupBy=agent');
    const row = byAgent.body.data.find(({ agent: of }: Answer) => of === agent.body.data.id);
    expect(counted).toMatchObject({ tokens: row.tokens, cost: row.cost });
    expect(counted.tokens).toBeGreaterThan(0);
  });

  it('is of a period, has limits that it names, and leaves out what was skipped', async () => {
    const { id } = await tasks.create({ steps: [transform('a', {})] });
    await addRuns(id, 10_005, 'SUCCEEDED', '2026-03-02T10:00:00Z');
    await addRuns(id, 3, 'TIMED_OUT', '2026-03-02T10:00:00Z');
    await addRuns(id, 2, 'CANCELLED', '2026-03-03T10:00:00Z');
    await addRuns(id, 7, 'SKIPPED', '2026-03-04T10:00:00Z');
    const march = await usage(id, '?from=2026-03-01T00:00:00Z&to=2026-04-01T00:00:00Z');
    expect(march).toMatchObject({ runs: 10_005, failed: 3, atLeast: true, costOf: 500, cost: 0 });
    expect(march.lastRunAt).toMatch(/^2026-03-03T09:59:59/);
    const day = await usage(id, '?from=2026-03-03T00:00:00Z&to=2026-03-04T00:00:00Z');
    expect(day).toMatchObject({ runs: 2, failed: 0, atLeast: false, costOf: 2 });
    expect(await usage(id, '?to=2026-01-01T00:00:00Z')).toMatchObject({ runs: 0, lastRunAt: march.lastRunAt });
  });

  it('reads ranges of an index, also beside many runs of other tasks', async () => {
    const [one, other] = [
      await tasks.create({ steps: [transform('a', {})] }),
      await tasks.create({ steps: [transform('a', {})] }),
    ];
    await addRuns(other.id, 30_000, 'SUCCEEDED', '2026-03-02T10:00:00Z');
    await addRuns(one.id, 50, 'SUCCEEDED', '2026-03-02T10:00:00Z');
    await platform.database.query('analyze task.executions');
    const period = { from: '2026-03-01T00:00:00Z', to: '2026-04-01T00:00:00Z' };
    const reads = new TaskUsageRepository();
    for (const { sql, params } of [reads.counts(space.id, one.id, period), reads.newest(space.id, one.id, period)]) {
      const inSchema = sql
        .replaceAll(/\b(executions|execution_steps) (?=[exs]\b)/gu, 'task.$1 ')
        .replaceAll('bytes_over(', 'task.bytes_over(');
      const plan = JSON.stringify(await platform.database.query(`explain (analyze) ${inSchema}`, params));
      expect(plan).toContain('executions_of_task');
      expect(plan).not.toContain('Seq Scan on executions');
    }
    expect(await usage(one.id, '?from=2026-03-01T00:00:00Z')).toMatchObject({ runs: 50 });
  });

  it('is refused for a task of another Space, an unknown one and a period that ends before it begins', async () => {
    const { id } = await tasks.create({ steps: [transform('a', {})] });
    const other = await platform.newSpace();
    expect((await other.owner.get(`/tasks/${id as string}/usage`)).status).toBe(404);
    for (const query of ['?from=yesterday', '?from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z', '?nothing=1'])
      expect((await space.owner.get(`/tasks/${id as string}/usage${query}`)).status).toBe(400);
    expect((await space.owner.get('/tasks/x/usage')).status).toBe(400);
    await space.owner.delete(`/tasks/${id as string}`);
    await until(async () => (await space.owner.get(`/tasks/${id as string}/usage`)).status === 404 || undefined);
  });
});
