import { type Answer, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { AnApplication } from './emitting';
import { TaskActions, transform, wait } from './task-actions';

const platform = usePlatform();
let space: TestSpace;
let tasks: TaskActions;
beforeAll(async () => {
  space = await platform.newSpace();
  tasks = new TaskActions(space.owner);
});

const search = async (query: string): Promise<Answer[]> => {
  const { status, body } = await space.owner.get(`/tasks/executions${query}`);
  expect(status).toBe(200);
  return body.data as Answer[];
};
const ids = (rows: Answer[]): string[] => rows.map(({ id }: Answer) => id as string);

describe('the executions of a Space', () => {
  it('are listed newest first over all tasks, by task, status, trigger and time', async () => {
    const one = await tasks.run([transform('a', {})]);
    const two = await tasks.run([{ id: 'x', type: 'http', with: { url: '{{ "http://127.0.0.1:1/" }}' } }], {
      status: 'FAILED',
    });
    const waiting = await tasks.start((await tasks.create({ steps: [wait('w', 600)] })).id);
    await tasks.reaches(waiting, 'RUNNING');
    expect(ids(await search(''))).toEqual([waiting, two.id, one.id]);
    expect(ids(await search('?status=FAILED'))).toEqual([two.id]);
    expect(ids(await search(`?taskId=${one.taskId}`))).toEqual([one.id]);
    expect(ids(await search(`?taskId=${one.taskId}&status=FAILED`))).toEqual([]);
    expect(ids(await search('?trigger=MANUAL&limit=2'))).toEqual([waiting, two.id]);
    expect(ids(await search('?trigger=SCHEDULE'))).toEqual([]);
    expect(ids(await search(`?from=${two.createdAt}&to=${new Date(Date.now() + 60_000).toISOString()}`))).toEqual([
      waiting,
      two.id,
    ]);
    expect(ids(await search(`?to=${one.createdAt}`))).toEqual([]);
    for (const query of ['?status=DONE', '?trigger=HAND', '?taskId=x', '?from=yesterday', '?cursor=abc', '?nothing=1'])
      expect((await space.owner.get(`/tasks/executions${query}`)).status).toBe(400);
    const other = await platform.newSpace();
    expect((await other.owner.get('/tasks/executions')).body.data).toEqual([]);
    expect((await other.owner.get(`/tasks/executions?taskId=${one.taskId}`)).body.data).toEqual([]);
  });

  it('are paged without loss or repeats, also those of one microsecond and while others begin', async () => {
    const own = await platform.newSpace();
    const at = new TaskActions(own.owner);
    const task = await at.create({ steps: [transform('a', {})] });
    const started = await Promise.all(Array.from({ length: 25 }, () => at.start(task.id)));
    for (const id of started) await at.reaches(id, 'SUCCEEDED');
    await platform.database.query(
      `update task.executions set created_at = '2026-03-01T10:00:00.123456Z' where id = any($1::uuid[])`,
      [started.slice(0, 15)],
    );
    for (const path of ['/tasks/executions', `/tasks/${task.id as string}/executions`]) {
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const { body }: Answer = await own.owner.get(`${path}?limit=4${cursor === '' ? '' : `&cursor=${cursor}`}`);
        seen.push(...ids(body.data));
        cursor = body.page.nextCursor;
        await at.start(task.id);
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((id) => started.includes(id)).sort()).toEqual([...started].sort());
    }
  });

  it('leave out long values, which the single record has', async () => {
    const text = 'x'.repeat(20_000);
    const run = await tasks.run([transform('a', { text })], { inputs: { text } });
    const long = { truncated: true, bytes: expect.any(Number) };
    const [row] = await search('?limit=1');
    expect(row).toMatchObject({
      id: run.id,
      inputs: long,
      output: long,
      steps: [{ id: 'a', input: long, output: long }],
    });
    expect(run).toMatchObject({ inputs: { text }, output: { text } });
  });
});

describe('a rerun', () => {
  const rerun = (id: string, body: object = {}, client = space.owner) =>
    client.post(`/tasks/executions/${id}/rerun`, body);

  it('is a new execution of the task as it is now, with the old inputs or with others', async () => {
    const before = await tasks.run([transform('a', { v: '{{ execution.inputs.n }}' })], {
      inputs: { n: 1 },
      task: { inputs: { d: 'default' } },
    });
    await space.owner.put(`/tasks/${before.taskId}`, { steps: [transform('b', { v: '{{ execution.inputs.n }}' })] });
    const same = await rerun(before.id);
    expect(same).toMatchObject({
      status: 202,
      body: {
        data: {
          status: 'QUEUED',
          rerunOf: before.id,
          taskVersion: 2,
          inputs: { n: 1, d: 'default' },
          trigger: null,
          requestedBy: space.owner.identity.userId,
          depth: 0,
          attempt: 1,
        },
      },
    });
    expect(await tasks.reaches(same.body.data.id, 'SUCCEEDED')).toMatchObject({
      steps: [{ id: 'b', output: { v: 1 } }],
    });
    const other = await rerun(before.id, { inputs: { n: 2 } });
    expect(other.body.data).toMatchObject({ inputs: { n: 2, d: 'default' }, rerunOf: before.id });
    expect(await tasks.read(before.id)).toMatchObject({ rerunOf: null, output: { v: 1 }, taskVersion: 1 });
  });

  it('is one for one key, keeps to the limits, and is allowed as an execute is', async () => {
    const before = await tasks.run([wait('w', 0)], { task: { concurrency: { limit: 1, policy: 'SKIP' } } });
    await space.owner.put(`/tasks/${before.taskId}`, { steps: [wait('w', 600)] });
    const replies = await Promise.all(Array.from({ length: 5 }, () => rerun(before.id, { idempotencyKey: 'again' })));
    expect(new Set(replies.filter(({ status }) => status === 202).map(({ body }) => body.data.id)).size).toBe(1);
    expect((await rerun(before.id, { idempotencyKey: 'again', inputs: { x: 1 } })).body.code).toBe(
      'IDEMPOTENCY_CONFLICT',
    );
    expect((await rerun(before.id)).body.data).toMatchObject({ status: 'SKIPPED', error: { code: 'CONFLICT' } });
    for (const [body, path] of [
      [{ inputs: { trigger: {} } }, 'inputs.trigger'],
      [{ inputs: [] }, 'inputs'],
      [{ input: {} }, 'input'],
    ] as const)
      expect(await rerun(before.id, body)).toMatchObject({ status: 400, body: { details: [{ path }] } });
    expect((await rerun(before.id, {}, await space.member('VIEWER'))).status).toBe(403);
    expect((await rerun(before.id, {}, await space.key({ scopes: ['tasks:write'] }))).status).toBe(403);
    expect((await rerun(before.id, {}, (await platform.newSpace()).owner)).status).toBe(404);
    await space.owner.delete(`/tasks/${before.taskId}`);
    expect((await rerun(before.id)).status).toBe(404);
  });

  it("keeps the trigger of an event's run, and runs also when the task is inactive", async () => {
    const app = await AnApplication.install(space);
    const task = await tasks.create({
      type: 'EVENT',
      active: true,
      steps: [transform('a', { v: '{{ execution.inputs.trigger.payload.n }}' })],
    });
    await app.subscribe(task.id);
    await app.emit({ n: 7 });
    const first: Answer = await until(
      async () => (await search(`?taskId=${task.id}&trigger=EVENT&status=SUCCEEDED`))[0],
    );
    await space.owner.put(`/tasks/${task.id}`, { active: false });
    const again = await rerun(first.id, { inputs: { extra: 1 } });
    expect(again.body.data).toMatchObject({
      trigger: first.trigger,
      inputs: { extra: 1, trigger: { payload: { n: 7 } } },
      causationId: first.causationId,
      correlationId: first.correlationId,
      rerunOf: first.id,
    });
    expect((await tasks.reaches(again.body.data.id, 'SUCCEEDED')).output).toEqual({ v: 7 });
    expect(await search(`?taskId=${task.id}&trigger=EVENT`)).toHaveLength(2);
  });
});
