import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { Listener } from './listener';
import { TaskActions, stepOf, transform, wait } from './task-actions';

const platform = usePlatform();
let space: TestSpace;
let tasks: TaskActions;
beforeAll(async () => {
  space = await platform.newSpace();
  tasks = new TaskActions(space.owner);
});

/** Long enough for a lease to run out and be swept. */
const LEASE_MS = 60_000;

describe('after kill -9 of the service', () => {
  it('executions go on from the last recorded step, and none of those runs again', async () => {
    const listener = await Listener.open(({ path }, count) => ({
      delayMs: path === '/slow' && count < 3 ? 30_000 : 0,
    }));
    const call = (id: string) => ({ id, type: 'http', with: { url: `${listener.url}/${id}`, method: 'POST' } });
    const created = await space.owner.post('/datasets', {
      name: 'D',
      schema: { fields: [{ name: 'title', type: 'string' }] },
    });
    const insert = {
      id: 'insert',
      type: 'dataset',
      with: { datasetId: created.body.data.id, operation: 'insert', records: [{ title: 'once' }] },
    };
    const task = await tasks.create({ steps: [call('quick'), insert, call('slow'), transform('end', { n: 1 })] });
    const id = await tasks.start(task.id);
    await until(() => listener.heard.some(({ path }) => path === '/slow'));
    await platform.service('task').crash();
    await until(() => listener.heard.filter(({ path }) => path === '/slow').length === 2, { timeoutMs: LEASE_MS });
    // The second process reports the first one's work in its own first scrape.
    expect(await platform.service('task').metric('switchyard_leases_lost_total')).toBeGreaterThanOrEqual(1);
    const done = await tasks.reaches(id, 'SUCCEEDED', LEASE_MS);
    expect(done).toMatchObject({ attempt: 1, output: { n: 1 } });
    expect(listener.heard.filter(({ path }) => path === '/quick')).toHaveLength(1);
    const keys = listener.heard.filter(({ path }) => path === '/slow').map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([`${id}:slow`, `${id}:slow`]);
    expect(stepOf(done, 'slow').attempt).toBe(1);
    expect((await space.owner.post(`/datasets/${created.body.data.id}/data/count`, {})).body.data).toEqual({
      count: 1,
    });
    listener.close();
  }, 300_000);

  it('a step that waits for its turn is taken up again, and the turn runs once', async () => {
    const agent = await space.owner.post('/agents', { name: 'A', model: 'sim-chat', systemPrompt: 'You help.' });
    const ask = {
      id: 'ask',
      type: 'agent',
      with: { agentId: agent.body.data.id, inputs: { query: '@@delay 200\n@@tokens 25' } },
    };
    const task = await tasks.create({ steps: [ask, transform('end', { n: 1 })] });
    // Between the commit of the wait and the moment from which news of the turn are heard.
    await platform.service('task').arm('task.waiting', 'kill');
    const id = await tasks.start(task.id);
    const done = await tasks.reaches(id, 'SUCCEEDED', LEASE_MS);
    expect(done).toMatchObject({ attempt: 1, output: { n: 1 } });
    expect(stepOf(done, 'ask')).toMatchObject({ status: 'SUCCEEDED', attempt: 1 });
    const usage = await space.owner.get('/usage?groupBy=source');
    expect(usage.body.data.find(({ source }: { source: string }) => source === 'task')).toMatchObject({ calls: 1 });
  }, 300_000);

  it('an orderly stop lets a step finish, and nothing is done twice', async () => {
    const listener = await Listener.open(() => ({ delayMs: 1_500 }));
    const call = (id: string) => ({ id, type: 'http', with: { url: `${listener.url}/${id}` } });
    const id = await tasks.start((await tasks.create({ steps: [call('first'), call('second')] })).id);
    await until(() => listener.heard.length === 1);
    await platform.service('task').kill('SIGTERM');
    await platform.service('task').ready();
    expect(await tasks.reaches(id, 'SUCCEEDED', LEASE_MS)).toMatchObject({ attempt: 1 });
    expect(listener.heard.map(({ path }) => path)).toEqual(['/first', '/second']);
    listener.close();
  }, 300_000);

  it('waits and queued executions lose nothing', async () => {
    const task = await tasks.create({ steps: [wait('w', 6), transform('end', {})], concurrency: { limit: 2 } });
    const ids = await Promise.all(Array.from({ length: 4 }, () => tasks.start(task.id)));
    await tasks.reaches(ids[0] ?? '', 'RUNNING');
    await platform.service('task').crash();
    for (const id of ids) await tasks.reaches(id, 'SUCCEEDED', LEASE_MS);
  }, 300_000);
});
