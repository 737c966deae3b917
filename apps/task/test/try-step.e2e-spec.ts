import {
  type Answer,
  type Client,
  type TestSpace,
  platformEnvelopes,
  raisedEvent,
  until,
  usePlatform,
  watchPlatform,
} from '@switchyard/testing';
import { AnApplication } from './emitting';
import { TaskActions, transform, wait } from './task-actions';

const platform = usePlatform();
let space: TestSpace;
let tasks: TaskActions;
/** An ended execution of three steps, of which the last one failed. */
let before: Answer;

const STEPS = [
  transform('look', { total: 7, order: '{{ execution.inputs.order }}' }),
  transform('letter', { text: '{{ steps.look.output.order }} costs {{ steps.look.output.total }}' }),
  // No task may call this address.
  { id: 'send', type: 'http', with: { url: '{{ execution.inputs.address }}' } },
];

beforeAll(async () => {
  space = await platform.newSpace();
  tasks = new TaskActions(space.owner);
  before = await tasks.run(STEPS, { inputs: { order: 'o-1', address: 'http://127.0.0.1:9/' }, status: 'FAILED' });
});

const tryStep = (body: object, client: Client = space.owner, id: string = before.id): Promise<Answer> =>
  client.post(`/tasks/executions/${id}/try`, body);
const letter = (text: string): object => ({ step: transform('letter', { text }) });

describe('a step that is tried', () => {
  it('runs alone, as it is saved, with the inputs and results of the old execution', async () => {
    const { status, body } = await tryStep({ stepId: 'letter' });
    expect([status, body.data]).toEqual([
      202,
      expect.objectContaining({
        taskId: before.taskId,
        status: 'QUEUED',
        rerunOf: before.id,
        triedStep: 'letter',
        inputs: before.inputs,
        requestedBy: space.owner.identity.userId,
      }),
    ]);
    const ended = await tasks.reaches(body.data.id, 'SUCCEEDED');
    expect(ended.steps).toEqual([expect.objectContaining({ id: 'letter', output: { text: 'o-1 costs 7' } })]);
    expect(ended.output).toEqual({ text: 'o-1 costs 7' });
    expect(before.triedStep).toBeNull();
  });

  it('raises no event of executions, as its task did not run', async () => {
    await watchPlatform(space, 'execution.succeeded');
    const { body } = await tryStep({ stepId: 'letter' });
    await tasks.reaches(body.data.id, 'SUCCEEDED');
    const run = await tasks.run([transform('look', { total: 1 })]);
    await raisedEvent(space, 'execution.succeeded', ({ id }) => id === run.id);
    const ids = (await platformEnvelopes(space.owner)).map(({ payload }) => payload.id as string);
    expect(ids).not.toContain(body.data.id);
  });

  it('runs as it is written, and reads a failed step of the old execution too', async () => {
    const { body } = await tryStep(
      letter('{{ steps.look.output.total }} {{ steps.send.status }} {{ steps.none.output }}'),
    );
    expect((await tasks.reaches(body.data.id, 'SUCCEEDED')).output).toEqual({ text: '7 FAILED ' });
    const all = await tryStep({ step: transform('all', { steps: '{{ steps }}' }) });
    const { output } = await tasks.reaches(all.body.data.id, 'SUCCEEDED');
    expect(Object.keys(output.steps).sort()).toEqual(['letter', 'look', 'send']);
    // The task itself has not changed.
    const task = (await space.owner.get(`/tasks/${before.taskId}`)).body.data;
    expect([task.version, task.steps[1].with]).toEqual([1, STEPS[1]?.with]);
  });

  it('has one attempt, and fails where its task would continue', async () => {
    const step = { ...STEPS[2], retry: { maxAttempts: 5, backoffSeconds: 0 }, continueOnError: true };
    const { body } = await tryStep({ step });
    const ended = await tasks.reaches(body.data.id, 'FAILED');
    expect([ended.attempt, ended.steps[0].attempt]).toEqual([1, 1]);
    // A retry by hand has the next attempt, and the same results.
    expect((await space.owner.post(`/tasks/executions/${ended.id}/retry`)).status).toBe(202);
    await until(async () => {
      const { status, attempt } = await tasks.read(ended.id);
      return (status === 'FAILED' && attempt === 2) || undefined;
    });
  });

  it('keeps the trigger of an execution that an event started', async () => {
    const app = await AnApplication.install(space);
    const task = await tasks.create({ type: 'EVENT', active: true, steps: [transform('a', {})] });
    await app.subscribe(task.id);
    await app.emit({ n: 9 });
    const first: Answer = await until(
      async () => (await space.owner.get(`/tasks/executions?taskId=${task.id}&status=SUCCEEDED`)).body.data[0],
    );
    const step = transform('b', { n: '{{ execution.inputs.trigger.payload.n }}' });
    const { body } = await tryStep({ step }, space.owner, first.id);
    expect((await tasks.reaches(body.data.id, 'SUCCEEDED')).output).toEqual({ n: 9 });
  });

  it('is one for one key, and waits where its task is at its limit', async () => {
    const busy = await tasks.run([wait('w', 0)], { task: { concurrency: { limit: 1, policy: 'SKIP' } } });
    const step = wait('w', 600);
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => tryStep({ step, idempotencyKey: 'again' }, space.owner, busy.id)),
    );
    const ids = replies.filter(({ status }) => status === 202).map(({ body }) => body.data.id);
    expect(new Set(ids).size).toBe(1);
    await tasks.reaches(ids[0], 'RUNNING');
    const waiting = await tryStep({ stepId: 'w' }, space.owner, busy.id);
    expect(waiting.body.data).toMatchObject({ status: 'QUEUED' });
    // The one that waits first: it would have the place of the other, and end.
    for (const id of [waiting.body.data.id, ids[0]])
      expect((await space.owner.post(`/tasks/executions/${id}/cancel`)).status).toBe(200);
  });

  it.each([
    [{}, 'stepId'],
    [{ stepId: 'look', ...letter('x') }, 'step'],
    [{ stepId: 'none' }, 'stepId'],
    [{ stepId: 7 }, 'stepId'],
    [{ step: 'look' }, 'step'],
    [{ step: transform('a b', {}) }, 'step.id'],
    [{ step: { id: 'a', type: 'none', with: {} } }, 'step.type'],
    [{ step: { id: 'a', type: 'http', with: { url: 'http://127.0.0.1:9/' } } }, 'step.with.url'],
    [{ step: { id: 'a', type: 'http', with: {} } }, 'step.with.url'],
    [{ step: transform('a', { text: '{{ x' }) }, 'step.with.text'],
    [{ step: { ...transform('a', {}), if: 'yes' } }, 'step.if'],
    [{ step: transform('a', { text: '{{ secrets.PAY }}' }) }, 'step.with.text'],
    [{ steps: [] }, 'steps'],
  ])('is checked as a saved one: %j', async (body, path) => {
    expect(await tryStep(body)).toMatchObject({ status: 400, body: { details: [{ path }] } });
  });

  it('needs the rights to run the task, and for an unsaved step those to write tasks and to read results', async () => {
    expect((await tryStep({ stepId: 'look' }, await space.member('VIEWER'))).status).toBe(403);
    const keyWith = (...scopes: string[]): Promise<Client> => space.key({ scopes });
    const runner = await keyWith('tasks:execute');
    expect((await tryStep({ stepId: 'look' }, runner)).status).toBe(202);
    expect(await tryStep(letter('x'), runner)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('tasks:write, tasks:read') },
    });
    expect((await tryStep(letter('x'), await keyWith('tasks:execute', 'tasks:read'))).status).toBe(403);
    const author = await keyWith('tasks:execute', 'tasks:write', 'tasks:read');
    expect((await tryStep(letter('x'), author)).status).toBe(202);
    // A step does what its author may do.
    const agentId = (await space.owner.post('/agents', { name: 'A', model: 'sim-chat', systemPrompt: 'x' })).body.data
      .id;
    const step = { id: 'a', type: 'agent', with: { agentId, inputs: { query: 'x' } } };
    expect((await tryStep({ step }, author)).status).toBe(403);
  });

  it('is not found from another Space, nor without its execution or task', async () => {
    const other = await platform.newSpace();
    expect((await tryStep({ stepId: 'look' }, other.owner)).status).toBe(404);
    expect((await tryStep(letter('x'), other.owner)).status).toBe(404);
    expect((await tryStep({ stepId: 'look' }, space.owner, before.taskId)).status).toBe(404);
    const own = await tasks.run([transform('a', {})]);
    await space.owner.delete(`/tasks/${own.taskId}`);
    expect((await tryStep({ stepId: 'a' }, space.owner, own.id)).status).toBe(404);
  });
});
