import { newId } from '@switchyard/kernel';
import { type Client, type TestSpace, usePlatform } from '@switchyard/testing';
import { TaskActions, transform, wait } from './task-actions';

const platform = usePlatform();
let space: TestSpace;
let other: TestSpace;
let tasks: TaskActions;
let viewer: Client;
beforeAll(async () => {
  [space, other] = [await platform.newSpace(), await platform.newSpace()];
  tasks = new TaskActions(space.owner);
  viewer = await space.member('VIEWER');
});

const steps = [transform('a', { x: 1 })];

describe('a task', () => {
  it('is created with its defaults, read, listed, changed and deleted', async () => {
    const task = await tasks.create({ name: 'Report', steps });
    expect(task).toMatchObject({
      name: 'Report',
      description: null,
      type: 'MANUAL',
      active: true,
      ownerId: space.owner.identity.userId,
      steps,
      inputs: {},
      schedule: null,
      nextRunAt: null,
      concurrency: { limit: 5, policy: 'QUEUE' },
      retry: { maxAttempts: 1 },
      timeoutSeconds: 3600,
      metadata: {},
      version: 1,
    });
    expect((await space.owner.get(`/tasks/${task.id}`)).body.data).toEqual(task);
    const changed = await space.owner.put(`/tasks/${task.id}`, { description: 'd', concurrency: { limit: 2 } });
    expect(changed).toMatchObject({
      status: 200,
      body: {
        data: { name: 'Report', description: 'd', concurrency: { limit: 2, policy: 'QUEUE' }, version: 2, steps },
      },
    });
    const stale = await space.owner.put(`/tasks/${task.id}`, { name: 'B' }, { headers: { 'if-match': '"1"' } });
    expect(stale).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    const listed = await space.owner.get('/tasks?q=repo&limit=1');
    expect(listed).toMatchObject({
      status: 200,
      body: { data: [{ id: task.id }], page: { limit: 1, nextCursor: null } },
    });
    expect(await space.owner.delete(`/tasks/${task.id}`)).toMatchObject({
      status: 200,
      body: { data: { id: task.id, deleted: true } },
    });
    expect(await space.owner.get(`/tasks/${task.id}`)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('is listed page by page, newest first', async () => {
    const mine = new TaskActions((await platform.newSpace()).owner);
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) ids.unshift((await mine.create({ name: `T${i}`, steps })).id);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await mine.client.get(`/tasks?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.page.nextCursor;
    }
    expect(seen).toEqual(ids);
  });

  it('is created once for one idempotency key', async () => {
    const headers = { 'idempotency-key': newId() };
    const first = await space.owner.post('/tasks', { name: 'Once', steps }, { headers });
    const again = await space.owner.post('/tasks', { name: 'Once', steps }, { headers });
    expect(again).toMatchObject({ status: 201, body: first.body, headers: { 'idempotency-replayed': 'true' } });
    expect(await space.owner.post('/tasks', { name: 'Twice', steps }, { headers })).toMatchObject({
      status: 409,
      body: { code: 'IDEMPOTENCY_CONFLICT' },
    });
  });

  it.each([
    ['no name', { steps }],
    ['no steps', { name: 'x' }],
    ['an unknown field', { name: 'x', steps, spaceId: newId() }],
    ['an owner', { name: 'x', steps, ownerId: newId() }],
    ['a wrong type', { name: 5, steps }],
    ['an unknown task type', { name: 'x', steps, type: 'CRON' }],
    ['an unknown step type', { name: 'x', steps: [{ id: 'a', type: 'shell', with: {} }] }],
    ['two steps of one id', { name: 'x', steps: [...steps, ...steps] }],
    ['a broken template', { name: 'x', steps: [transform('a', { x: '{{ a() }}' })] }],
    ['an unknown filter', { name: 'x', steps: [transform('a', { x: '{{ a | eval }}' })] }],
    ['a malformed agent id', { name: 'x', steps: [{ id: 'a', type: 'agent', with: { agentId: 'nope' } }] }],
    [
      'an unknown field of a step',
      { name: 'x', steps: [{ id: 'a', type: 'http', with: { url: 'https://a.b', retries: 1 } }] },
    ],
    ['a limit of none', { name: 'x', steps, concurrency: { limit: 0 } }],
    ['a schedule without one', { name: 'x', steps, type: 'SCHEDULE' }],
    ['six fields of cron', { name: 'x', steps, type: 'SCHEDULE', schedule: { cron: '* * * * * *', timezone: 'UTC' } }],
    [
      'a date that never comes',
      { name: 'x', steps, type: 'SCHEDULE', schedule: { cron: '0 0 30 2 *', timezone: 'UTC' } },
    ],
    [
      'a zone that is none',
      { name: 'x', steps, type: 'SCHEDULE', schedule: { cron: '0 0 * * *', timezone: 'Europe/Nowhere' } },
    ],
    ['a trigger among the inputs', { name: 'x', steps, inputs: { trigger: {} } }],
  ])('is refused with %s', async (_, body) => {
    expect(await space.owner.post('/tasks', body)).toMatchObject({
      status: 400,
      body: { success: false, code: 'VALIDATION_ERROR' },
    });
  });

  it.each([
    ['ftp://files.example/x', 'must be an http or https address'],
    ['http://127.0.0.1:1', 'is not on the public internet; calls to private addresses are not allowed'],
    ['files.example', 'must be an absolute http or https address'],
  ])('is refused with an http step to %s, which could only fail', async (url, message) => {
    const step = (at: string) => [...steps, { id: 'call', type: 'http', with: { url: at } }];
    const refusal = { status: 400, body: { details: [{ path: 'steps[1].with.url', message }] } };
    expect(await space.owner.post('/tasks', { name: 'x', steps: step(url) })).toMatchObject(refusal);
    const created = await space.owner.post('/tasks', { name: 'x', steps: step(`{{ "${url}" }}`) });
    expect(created.status).toBe(201);
    const path = `/tasks/${created.body.data.id}`;
    expect(await space.owner.put(path, { steps: step(url) })).toMatchObject(refusal);
    expect((await space.owner.put(path, { name: 'y' })).status).toBe(200);
  });

  it('names no agent and no dataset that is not there', async () => {
    const foreign = await other.owner.post('/datasets', {
      name: 'D',
      schema: { fields: [{ name: 't', type: 'string' }] },
    });
    const dataset = (datasetId: string) => ({
      name: 'x',
      steps: [{ id: 'a', type: 'dataset', with: { datasetId, operation: 'count' } }],
    });
    expect(await space.owner.post('/tasks', dataset(foreign.body.data.id))).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
    const agent = { name: 'x', steps: [{ id: 'a', type: 'agent', with: { agentId: newId() } }] };
    expect(await space.owner.post('/tasks', agent)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('does not exist for another Space', async () => {
    const task = await tasks.create({ steps });
    const executionId = await tasks.start(task.id);
    for (const [method, path, body] of [
      ['GET', `/tasks/${task.id}`],
      ['PUT', `/tasks/${task.id}`, { name: 'x' }],
      ['DELETE', `/tasks/${task.id}`],
      ['POST', `/tasks/${task.id}/execute`, {}],
      ['GET', `/tasks/${task.id}/executions`],
      ['GET', `/tasks/executions/${executionId}`],
      ['GET', `/tasks/runs/${executionId}`],
      ['POST', `/tasks/executions/${executionId}/cancel`, {}],
      ['POST', `/tasks/executions/${executionId}/retry`, {}],
    ] as const) {
      expect([path, await other.owner.raw(method, `/api${path}`, body)]).toMatchObject([
        path,
        { status: 404, body: { code: 'NOT_FOUND' } },
      ]);
    }
    expect((await space.owner.get(`/tasks/${task.id}`)).status).toBe(200);
  });

  it('is refused by a malformed id', async () => {
    for (const path of ['/tasks/nope', '/tasks/nope/executions', '/tasks/executions/nope', '/tasks/runs/nope']) {
      expect(await space.owner.get(path)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    }
  });
});

describe('who may do what with tasks', () => {
  it('a VIEWER reads, and nothing else', async () => {
    const task = await tasks.create({ steps });
    expect((await viewer.get('/tasks')).status).toBe(200);
    expect((await viewer.get(`/tasks/${task.id}/executions`)).status).toBe(200);
    for (const reply of [
      await viewer.post('/tasks', { name: 'x', steps }),
      await viewer.put(`/tasks/${task.id}`, { name: 'x' }),
      await viewer.delete(`/tasks/${task.id}`),
      await viewer.post(`/tasks/${task.id}/execute`, {}),
    ])
      expect(reply).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });

  it('a key does what its scopes say, through a task as well', async () => {
    const task = await tasks.create({ steps });
    const reader = await space.key({ scopes: ['tasks:read'] });
    const writer = await space.key({ scopes: ['tasks:write'] });
    const runner = await space.key({ scopes: ['tasks:execute'] });
    expect((await reader.get(`/tasks/${task.id}`)).status).toBe(200);
    expect((await reader.post('/tasks', { name: 'x', steps })).status).toBe(403);
    expect((await writer.get(`/tasks/${task.id}`)).status).toBe(200);
    expect((await writer.post(`/tasks/${task.id}/execute`, {})).status).toBe(403);
    expect((await runner.post(`/tasks/${task.id}/execute`, {})).status).toBe(202);
    const agent = { name: 'x', steps: [{ id: 'a', type: 'agent', with: { agentId: '{{ execution.inputs.agent }}' } }] };
    expect(await writer.post('/tasks', agent)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });

  it('saving a task in any way needs the scopes of its steps, and of the tools of their agents', async () => {
    const dataset = await space.owner.post('/datasets', {
      name: 'D',
      schema: { fields: [{ name: 'title', type: 'string' }] },
    });
    const body = { name: 'A', model: 'sim-chat', systemPrompt: 'You help.', tools: ['write_dataset', 'run_task'] };
    const agent = await space.owner.post('/agents', body);
    const asks = [{ id: 'a', type: 'agent', with: { agentId: agent.body.data.id, inputs: { query: 'Hi' } } }];
    const writes = [
      {
        id: 'w',
        type: 'dataset',
        with: { datasetId: dataset.body.data.id, operation: 'insert', records: [{ title: 'x' }] },
      },
    ];
    const caller = await space.key({ scopes: ['tasks:write', 'agents:call', 'datasets:read'] });
    const able = await space.key({ scopes: ['tasks:write', 'agents:call', 'datasets:write', 'tasks:execute'] });
    const denied = (scopes: string): object => ({
      status: 403,
      body: { code: 'FORBIDDEN', message: expect.stringContaining(scopes) },
    });
    expect(await caller.post('/tasks', { name: 'x', steps: asks })).toMatchObject(
      denied('the scopes datasets:write, tasks:execute'),
    );
    expect(await caller.post('/tasks', { name: 'x', steps: writes })).toMatchObject(denied('datasets:write'));
    // Nor by a list of agents that leaves this one out: the run would go on without that list.
    const limited = await space.key({ scopes: ['tasks:write', 'agents:call'], limits: { agents: [] } });
    expect(await limited.post('/tasks', { name: 'x', steps: asks })).toMatchObject(denied('datasets:write'));
    const made = [];
    for (const expected of [asks, writes]) {
      const task = (await able.post('/tasks', { name: 'x', steps: expected })).body.data;
      for (const change of [{ name: 'y' }, { inputs: { a: 1 } }, { active: false }, { metadata: {} }])
        expect(await caller.put(`/tasks/${task.id}`, change)).toMatchObject(denied('datasets:write'));
      expect((await able.put(`/tasks/${task.id}`, { name: 'y' })).body.data.version).toBe(2);
      made.push(task.id);
    }
    const run = await tasks.start(made[1]);
    await tasks.reaches(run, 'SUCCEEDED');
    const [recorded] = await platform.database.query('select scopes from task.executions where id = $1', [run]);
    expect(recorded).toEqual({ scopes: ['datasets:write'] });
    // Runs do not have scopes that were missing when the task was saved.
    await platform.database.query(`update task.tasks set scopes = '{}' where id = $1`, [made[1]]);
    expect((await tasks.reaches(await tasks.start(made[1]), 'FAILED')).error.code).toBe('FORBIDDEN');
    // Saved before scopes were recorded: it goes on.
    await platform.database.query('update task.tasks set scopes = null where id = $1', [made[1]]);
    await tasks.reaches(await tasks.start(made[1]), 'SUCCEEDED');
    // Also a task whose agent is gone can be changed.
    await space.owner.delete(`/agents/${agent.body.data.id}`);
    expect((await space.owner.put(`/tasks/${made[0]}`, { active: false })).status).toBe(200);
  });

  it('who changes what a task does becomes its owner', async () => {
    const task = await tasks.create({ steps });
    const member = await space.member('MEMBER');
    expect((await member.put(`/tasks/${task.id}`, { name: 'Renamed' })).body.data.ownerId).toBe(
      space.owner.identity.userId,
    );
    expect((await member.put(`/tasks/${task.id}`, { steps: [wait('w', 0)] })).body.data.ownerId).toBe(
      member.identity.userId,
    );
  });
});
