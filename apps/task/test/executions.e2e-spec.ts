import { newId } from '@switchyard/kernel';
import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { Listener } from './listener';
import { TaskActions, stepOf, transform, wait } from './task-actions';

const platform = usePlatform();
let space: TestSpace;
let actions: TaskActions;
beforeAll(async () => {
  space = await platform.newSpace();
  actions = new TaskActions(space.owner);
});

const later = wait('pause', 60);

describe('an execution', () => {
  it('is accepted, read, followed and listed', async () => {
    const task = await actions.create({ steps: [transform('a', { x: 1 }), wait('w', 60), transform('b', {})] });
    const accepted = await space.owner.post(`/tasks/${task.id}/execute`, { inputs: { n: 1 } });
    expect(accepted).toMatchObject({
      status: 202,
      body: {
        data: {
          taskId: task.id,
          taskVersion: 1,
          status: 'QUEUED',
          trigger: null,
          inputs: { n: 1 },
          output: null,
          error: null,
          attempt: 1,
          requestedBy: space.owner.identity.userId,
          startedAt: null,
          finishedAt: null,
          causationId: null,
          depth: 0,
          steps: [{ id: 'a', status: 'PENDING', attempt: 0 }, { id: 'w' }, { id: 'b' }],
        },
      },
    });
    const { id } = accepted.body.data;
    const run = await until(async () => {
      const { body } = await space.owner.get(`/tasks/runs/${id}`);
      return body.data.currentStep === 'w' && body.data;
    });
    expect(run).toEqual({
      id,
      taskId: task.id,
      status: 'RUNNING',
      progress: { done: 1, total: 3 },
      currentStep: 'w',
      startedAt: expect.any(String),
      finishedAt: null,
      error: null,
    });
    await platform.database.query(`update task.executions set run_at = clock_timestamp() where id = $1`, [id]);
    const done = await actions.reaches(id, 'SUCCEEDED');
    expect(done.finishedAt >= done.startedAt).toBe(true);
    expect((await space.owner.get(`/tasks/runs/${id}`)).body.data).toMatchObject({
      status: 'SUCCEEDED',
      progress: { done: 3, total: 3 },
      currentStep: null,
    });
    expect((await space.owner.get(`/tasks/${task.id}/executions?status=SUCCEEDED`)).body).toMatchObject({
      data: [{ id }],
      page: { nextCursor: null },
    });
    expect((await space.owner.get(`/tasks/${task.id}/executions?status=FAILED`)).body.data).toEqual([]);
    const before = new Date(Date.parse(done.createdAt) - 1_000).toISOString();
    expect((await space.owner.get(`/tasks/${task.id}/executions?from=${before}`)).body.data).toHaveLength(1);
    expect((await space.owner.get(`/tasks/${task.id}/executions?to=${before}`)).body.data).toEqual([]);
    expect((await space.owner.get(`/tasks/${task.id}/executions?status=DONE`)).status).toBe(400);
    expect((await space.owner.get(`/tasks/${task.id}/executions?from=yesterday`)).status).toBe(400);
  });

  it('begins before its first step and ends after its last, also when it is cancelled', async () => {
    const task = await actions.create({ steps: [transform('a', {}), wait('b', 0), transform('c', {})] });
    const waiting = await actions.create({ steps: [transform('a', {}), wait('b', 600)] });
    const ids = await Promise.all([task, task, waiting].map(({ id }) => actions.start(id)));
    const [one = '', two = '', cancelled = ''] = ids;
    await actions.reaches(one, 'SUCCEEDED');
    await actions.reaches(two, 'SUCCEEDED');
    await until(async () => stepOf(await actions.read(cancelled), 'b').status === 'RUNNING');
    await space.owner.post(`/tasks/executions/${cancelled}/cancel`, {});
    const steps = await platform.database.query<{ inOrder: boolean }>(
      `select e.started_at <= s.started_at and s.started_at <= s.finished_at and s.finished_at <= e.finished_at as "inOrder"
         from task.executions e join task.execution_steps s on s.space_id = e.space_id and s.execution_id = e.id
        where e.id = any($1::uuid[])`,
      [ids],
    );
    expect(steps).toEqual(Array.from({ length: 8 }, () => ({ inOrder: true })));
  });

  it('takes no trigger by hand, and no unknown field', async () => {
    const task = await actions.create({ steps: [transform('a', {})] });
    for (const body of [{ inputs: { trigger: {} } }, { input: {} }, { inputs: [] }]) {
      expect(await space.owner.post(`/tasks/${task.id}/execute`, body)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR' },
      });
    }
  });

  it('runs by hand also while its task is inactive', async () => {
    const task = await actions.create({ steps: [transform('a', {})], active: false });
    await actions.reaches(await actions.start(task.id), 'SUCCEEDED');
  });

  it('is one for one idempotency key, in the header or in the body, however many ask at once', async () => {
    const task = await actions.create({ steps: [transform('a', {})] });
    const idempotencyKey = newId();
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => space.owner.post(`/tasks/${task.id}/execute`, { idempotencyKey })),
    );
    expect(replies.every(({ status, body }) => status === 202 || body.code === 'REQUEST_IN_PROGRESS')).toBe(true);
    const again = await space.owner.post(
      `/tasks/${task.id}/execute`,
      {},
      { headers: { 'idempotency-key': idempotencyKey } },
    );
    expect(again).toMatchObject({ status: 202, headers: { 'idempotency-replayed': 'true' } });
    expect((await space.owner.get(`/tasks/${task.id}/executions`)).body.data).toMatchObject([
      { id: again.body.data.id },
    ]);
    expect(await space.owner.post(`/tasks/${task.id}/execute`, { idempotencyKey, inputs: { a: 1 } })).toMatchObject({
      status: 409,
      body: { code: 'IDEMPOTENCY_CONFLICT' },
    });
  });

  it('keeps the steps that it began with', async () => {
    const task = await actions.create({ steps: [wait('w', 0.5), transform('a', { v: 1 })] });
    const id = await actions.start(task.id);
    await space.owner.put(`/tasks/${task.id}`, { steps: [transform('a', { v: 2 })] });
    expect(await actions.reaches(id, 'SUCCEEDED')).toMatchObject({ output: { v: 1 }, taskVersion: 1 });
  });

  it('is cancelled while it waits and while it calls', async () => {
    const listener = await Listener.open(() => ({ delayMs: 20_000 }));
    const call = { id: 'call', type: 'http', with: { url: listener.url } };
    for (const step of [later, call]) {
      const id = await actions.start((await actions.create({ steps: [step, transform('b', {})] })).id);
      await until(async () => (await actions.read(id)).steps[0].status === 'RUNNING');
      expect(await space.owner.post(`/tasks/executions/${id}/cancel`, {})).toMatchObject({
        status: 200,
        body: { data: { id, status: 'CANCELLED' } },
      });
      expect(await space.owner.post(`/tasks/executions/${id}/cancel`, {})).toMatchObject({
        status: 200,
        body: { data: { status: 'CANCELLED' } },
      });
      const steps = (await actions.read(id)).steps as { status: string }[];
      expect(steps.map(({ status }) => status)).toEqual(['CANCELLED', 'SKIPPED']);
    }
    listener.close();
    const done = await actions.run([transform('a', {})]);
    expect(await space.owner.post(`/tasks/executions/${done.id}/cancel`, {})).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT' },
    });
  });

  it('times out', async () => {
    const execution = await actions.run([later], { status: 'TIMED_OUT', task: { timeoutSeconds: 1 } });
    expect(execution).toMatchObject({ error: { code: 'TIMEOUT' }, finishedAt: expect.any(String) });
  });

  it('ends with its task', async () => {
    const task = await actions.create({ steps: [later] });
    const id = await actions.start(task.id);
    await actions.reaches(id, 'RUNNING');
    await space.owner.delete(`/tasks/${task.id}`);
    expect((await actions.read(id)).status).toBe('CANCELLED');
  });

  it('drops the call of its step at once when its task is deleted', async () => {
    const listener = await Listener.open(() => ({ delayMs: 30_000 }));
    const call = { id: 'call', type: 'http', with: { url: listener.url } };
    // By itself the worker looks every ten seconds: that helps one of them at most.
    for (const count of [1, 2]) {
      const task = await actions.create({ steps: [call] });
      await actions.start(task.id);
      await until(() => listener.heard.length === count);
      await space.owner.delete(`/tasks/${task.id}`);
      await until(() => listener.over.length === count, { timeoutMs: 3_000 });
    }
    listener.close();
  });
});

describe('a retry', () => {
  it('goes on from the failed step, with the next attempt', async () => {
    const listener = await Listener.open(({ path }, count) => ({
      status: path === '/second' && count < 3 ? 500 : 200,
    }));
    const call = (id: string) => ({ id, type: 'http', with: { url: `${listener.url}/${id}` } });
    const task = await actions.create({ steps: [call('first'), call('second'), transform('b', { n: 1 })] });
    const id = await actions.start(task.id);
    await actions.reaches(id, 'FAILED');
    expect(await space.owner.post(`/tasks/executions/${id}/retry`, {})).toMatchObject({
      status: 202,
      body: { data: { id, status: 'QUEUED', attempt: 2, error: null } },
    });
    const done = await actions.reaches(id, 'SUCCEEDED');
    expect(done).toMatchObject({ attempt: 2, output: { n: 1 } });
    expect(listener.heard.map(({ path }) => path)).toEqual(['/first', '/second', '/second']);
    expect([stepOf(done, 'first').attempt, stepOf(done, 'second').attempt]).toEqual([1, 2]);
    expect(await space.owner.post(`/tasks/executions/${id}/retry`, {})).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT' },
    });
    listener.close();
  });

  it('is made by the task itself, when it says so', async () => {
    const listener = await Listener.open((_, count) => ({ status: count < 3 ? 503 : 200 }));
    const call = { id: 'call', type: 'http', with: { url: listener.url } };
    const done = await actions.run([call], { task: { retry: { maxAttempts: 3, backoffSeconds: 0.05 } } });
    expect(done).toMatchObject({ attempt: 3, error: null });
    listener.close();
  });

  it('follows a cancellation too', async () => {
    const listener = await Listener.open((_, count) => ({ delayMs: count < 2 ? 20_000 : 0 }));
    const call = { id: 'call', type: 'http', with: { url: listener.url } };
    const id = await actions.start((await actions.create({ steps: [call] })).id);
    await until(() => listener.heard.length === 1);
    await space.owner.post(`/tasks/executions/${id}/cancel`, {});
    expect((await space.owner.post(`/tasks/executions/${id}/retry`, {})).status).toBe(202);
    expect((await actions.reaches(id, 'SUCCEEDED')).attempt).toBe(2);
    listener.close();
  });
});

describe('limits', () => {
  /** How many of them ever ran at the same time, as their rows tell afterwards. */
  async function mostAtOnce(ids: string[]): Promise<number> {
    const runs = await until(async () => {
      const rows = await platform.database.query<{ status: string; from: Date; to: Date }>(
        'select status, started_at as "from", finished_at as "to" from task.executions where id = any($1)',
        [ids],
      );
      return rows.every(({ status }) => status === 'SUCCEEDED') ? rows : null;
    });
    return Math.max(...runs.map(({ from: at }) => runs.filter(({ from, to }) => from <= at && at < to).length));
  }

  it('of a task hold, and what is over them waits', async () => {
    const task = await actions.create({ steps: [wait('w', 0.4)], concurrency: { limit: 2 } });
    const ids = await Promise.all(Array.from({ length: 6 }, () => actions.start(task.id)));
    expect(await mostAtOnce(ids)).toBe(2);
  });

  it('let operators see at once how long the first of those has waited', async () => {
    const task = await actions.create({ steps: [later], concurrency: { limit: 1 } });
    await actions.reaches(await actions.start(task.id), 'RUNNING');
    const waiting = await actions.start(task.id);
    await platform.database.query(`update task.executions set run_at = run_at - interval '2 hours' where id = $1`, [
      waiting,
    ]);
    const seconds = await platform.service('task').metric('switchyard_executions_oldest_seconds');
    expect(Math.floor(seconds / 3_600)).toBe(2);
    expect(await platform.service('task').metric('switchyard_executions', { status: 'QUEUED' })).toBeGreaterThan(0);
    await space.owner.delete(`/tasks/${task.id}`);
    await actions.reaches(waiting, 'CANCELLED');
    expect(await platform.service('task').metric('switchyard_executions_oldest_seconds')).toBeLessThan(3_600);
  });

  it('are kept by skipping, when the task says so', async () => {
    const task = await actions.create({ steps: [wait('w', 20)], concurrency: { limit: 1, policy: 'SKIP' } });
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => space.owner.post(`/tasks/${task.id}/execute`, {})),
    );
    const statuses = replies.map(({ body }) => body.data.status).sort();
    expect(statuses).toEqual(['QUEUED', 'SKIPPED', 'SKIPPED', 'SKIPPED', 'SKIPPED']);
  });

  it('of a Space hold over all of its tasks', async () => {
    const crowded = await platform.newSpace();
    const own = new TaskActions(crowded.owner);
    await own.reaches(await own.start((await own.create({ steps: [transform('a', {})] })).id), 'SUCCEEDED');
    await crowded.owner.patch(`/spaces/${crowded.id}`, { settings: { taskConcurrency: 3 } });
    const tasks = await Promise.all(Array.from({ length: 4 }, () => own.create({ steps: [wait('w', 0.4)] })));
    const ids = (await Promise.all(tasks.map(({ id }) => Promise.all([own.start(id), own.start(id)])))).flat();
    expect(await mostAtOnce(ids)).toBe(3);
  });
});

describe('the owner', () => {
  it('is who a run acts as; with the owner gone it is refused', async () => {
    const member = await space.member('MEMBER');
    const agent = await space.owner.post('/agents', { name: 'A', model: 'sim-chat', systemPrompt: 'You help.' });
    const task = await new TaskActions(member).create({
      steps: [{ id: 'ask', type: 'agent', with: { agentId: agent.body.data.id, inputs: { query: 'Hi' } } }],
    });
    expect((await space.owner.delete(`/spaces/${space.id}/members/${member.identity.userId}`)).status).toBe(200);
    const used = (await space.owner.get('/usage/balance')).body.data.balance;
    const execution = await actions.reaches(await actions.start(task.id), 'FAILED');
    expect(execution.error).toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining('owner') });
    expect((await space.owner.get('/usage/balance')).body.data.balance).toBe(used);
  });

  it('needs the access of this moment', async () => {
    const member = await space.member('MEMBER');
    const agent = await space.owner.post('/agents', { name: 'A', model: 'sim-chat', systemPrompt: 'You help.' });
    const task = await new TaskActions(member).create({
      steps: [{ id: 'ask', type: 'agent', with: { agentId: agent.body.data.id, inputs: { query: 'Hi' } } }],
    });
    await space.owner.put(`/agents/${agent.body.data.id}`, { accessScope: 'RESTRICTED', allowedUserIds: [] });
    expect((await actions.reaches(await actions.start(task.id), 'FAILED')).error.code).toBe('FORBIDDEN');
  });
});

describe('the fence', () => {
  it('shuts out a worker whose execution somebody else has taken', async () => {
    let answerFirst = (): void => undefined;
    const isTaken = new Promise<void>((resolve) => (answerFirst = resolve));
    const listener = await Listener.open((_, count) => (count < 2 ? { after: isTaken } : {}));
    const call = (id: string) => ({ id, type: 'http', with: { url: `${listener.url}/${id}` } });
    const id = await actions.start((await actions.create({ steps: [call('first'), call('second')] })).id);
    await until(() => listener.heard.length === 1);
    await platform.database.query(
      `update task.executions set epoch = epoch + 1, worker = 'somebody else', lease_until = clock_timestamp() + interval '5 minutes' where id = $1`,
      [id],
    );
    answerFirst();
    // Answered, or given up by a heartbeat that has seen the other worker.
    await until(() => listener.over.length === 1);
    expect(stepOf(await actions.read(id), 'first')).toMatchObject({ status: 'RUNNING', output: null });
    expect(listener.heard).toHaveLength(1);
    // Once that one is gone as well, the execution goes on under the same names.
    await platform.database.query(`update task.executions set lease_until = clock_timestamp() where id = $1`, [id]);
    const done = await actions.reaches(id, 'SUCCEEDED');
    expect(done.attempt).toBe(1);
    expect(listener.heard.map(({ headers }) => headers['idempotency-key'])).toEqual([
      `${id}:first`,
      `${id}:first`,
      `${id}:second`,
    ]);
    listener.close();
  });

  it('leaves an execution alone whose step is of a type of a later version, and never lets that step succeed', async () => {
    const task = await actions.create({ steps: [wait('a', 3600), transform('b', { n: 1 }), transform('c', {})] });
    const id = await actions.start(task.id);
    await until(async () => stepOf(await actions.read(id), 'a').status === 'RUNNING');
    const stepsAs = (type: string): Promise<unknown> =>
      platform.database.query(
        `update task.executions set steps = jsonb_set(steps, '{1,type}', to_jsonb($2::text)), run_at = clock_timestamp() where id = $1`,
        [id, type],
      );
    await stepsAs('of-a-later-version');
    const state = async (): Promise<unknown> =>
      (
        await platform.database.query(
          `select e.status, e.attempt, e.worker is null as "isFree", e.run_at > clock_timestamp() as "isLater",
                  (select json_object_agg(s.step_id, s.status) from task.execution_steps s
                    where s.space_id = e.space_id and s.execution_id = e.id) as steps
             from task.executions e where e.id = $1`,
          [id],
        )
      )[0];
    await until(async () => {
      expect(await state()).toEqual({
        status: 'RUNNING',
        attempt: 1,
        isFree: true,
        isLater: true,
        steps: { a: 'SUCCEEDED' },
      });
      return true;
    });
    await stepsAs('transform');
    const done = await actions.reaches(id, 'SUCCEEDED');
    expect(done).toMatchObject({ attempt: 1, output: {} });
    expect(stepOf(done, 'b')).toMatchObject({ status: 'SUCCEEDED', output: { n: 1 } });
  });
});
