import { newId } from '@switchyard/kernel';
import { type Answer, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { JobActions } from './job-actions';

const platform = usePlatform();
let space: TestSpace;
let jobs: JobActions;
beforeAll(async () => {
  space = await platform.newSpace();
  jobs = await JobActions.open(space);
});

const SLOW = '@@delay 100\n@@tokens 400';

describe('a job', () => {
  it('is accepted at once and runs in the background', async () => {
    const accepted = await space.owner.post('/agent-jobs', jobs.body('Hello', { metadata: { a: 1 } }));
    expect(accepted).toMatchObject({
      status: 202,
      body: {
        data: {
          type: 'AGENT_INVOKE',
          agentId: jobs.agentId,
          phase: 'QUEUED',
          progress: 0,
          result: null,
          error: null,
          attempt: 0,
          maxAttempts: 3,
          priority: 5,
          input: { inputs: { query: 'Hello' } },
          metadata: { a: 1 },
          createdBy: space.owner.identity.userId,
          startedAt: null,
          finishedAt: null,
          cancelRequestedAt: null,
        },
      },
    });
    const done = await jobs.reaches(accepted.body.data.id, 'SUCCEEDED');
    expect(done).toMatchObject({ progress: 100, attempt: 1, error: null, heartbeatAt: expect.any(String) });
    expect(done.result).toMatchObject({
      agent_id: jobs.agentId,
      answer: expect.stringContaining('Hello'),
      execution_time: expect.any(Number),
      token_usage: { cost: expect.any(Number) },
    });
    const listed = await space.owner.get(`/agent-jobs?phase=SUCCEEDED&agentId=${jobs.agentId}`);
    expect(listed.body.data.map(({ id }: Answer) => id)).toContain(done.id);
    expect((await space.owner.get(`/agent-jobs?agentId=${newId()}`)).body.data).toEqual([]);
  });

  it('may be called with contents and settings of a chat', async () => {
    const { id } = await jobs.submit('', {
      input: { contents: [{ type: 'text', text: '@@tokens 50' }], settings: { max_tokens: 5 } },
    });
    const { result } = await jobs.reaches(id, 'SUCCEEDED');
    expect(result.token_usage.completion_tokens).toBeLessThanOrEqual(5);
  });

  it.each([
    ['no agent', { agentId: undefined }],
    ['another type', { type: 'SHELL' }],
    ['no input', { input: undefined }],
    ['contents and inputs', { input: { contents: [{ type: 'text', text: 'x' }], inputs: {} } }],
    ['a chat setting beside inputs', { input: { inputs: {}, settings: { max_tokens: 1 } } }],
    [
      'an execute setting beside contents',
      { input: { contents: [{ type: 'text', text: 'x' }], settings: { maxTokens: 1 } } },
    ],
    ['a priority of ten', { priority: 10 }],
    ['no attempt', { maxAttempts: 0 }],
    ['a day and a second', { timeoutSeconds: 86_401 }],
    ['an unknown field', { spaceId: newId() }],
    ['a callback to a private address', { callbackUrl: 'http://169.254.169.254/' }],
    ['a callback that is no address', { callbackUrl: 'ftp://example.com/' }],
    ['an input of the wrong type', { input: { inputs: { memory: 'yes' } } }],
    ['contents without their text', { input: { contents: [{ type: 'text' }] } }],
    ['a malformed session', { input: { session_id: 'x' } }],
  ])('is refused with %s', async (_, more) => {
    expect(await space.owner.post('/agent-jobs', jobs.body('Hi', more))).toMatchObject({
      status: 400,
      body: { success: false, code: 'VALIDATION_ERROR' },
    });
  });

  it('is refused as a chat is where the model of its agent does not exist', async () => {
    const agent = { name: 'M', model: 'no-such-model', systemPrompt: 'You help.' };
    const agentId = (await space.owner.post('/agents', agent)).body.data.id as string;
    const chat = { contents: [{ type: 'text', text: 'Hi' }], stream: false };
    const refused = await space.owner.post(`/agents/${agentId}/chat`, chat);
    const job = await space.owner.post('/agent-jobs', jobs.body('Hi', { agentId }));
    expect([job.status, job.body.code]).toEqual([404, 'NOT_FOUND']);
    expect(job.body).toEqual(refused.body);
    // Not every key may list models, and a job needs none.
    const key = await space.key({ scopes: ['jobs:write'] });
    expect((await key.post('/agent-jobs', jobs.body('Hi'))).status).toBe(202);
  });

  it('is refused where an execute with its inputs would be', async () => {
    const needy = await space.owner.post('/agents', {
      name: 'N',
      model: 'sim-chat',
      systemPrompt: '{{topic}}',
      promptVariables: [{ name: 'topic', required: true }],
    });
    const agentId = needy.body.data.id;
    const submit = (input: object) => space.owner.post('/agent-jobs', { type: 'AGENT_INVOKE', agentId, input });
    for (const [input, path] of [
      [{ inputs: { query: 'Hi' } }, 'input.inputs.topic'],
      [{}, 'input.inputs.topic'],
      [{ inputs: { topic: 'a', internet: true } }, 'input.inputs.internet'],
      [{ inputs: { topic: 'a', images: ['ftp://a.b'] } }, 'input.inputs.images[0]'],
    ] as const) {
      expect(await submit(input)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR', details: [{ path }] },
      });
    }
    expect((await submit({ inputs: { topic: 'a' } })).status).toBe(202);
    expect((await submit({ contents: [{ type: 'text', text: 'Hi' }] })).status).toBe(202);
  });

  it('names an agent and a session that are there', async () => {
    expect(await space.owner.post('/agent-jobs', jobs.body('Hi', { agentId: newId() }))).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
    expect(await space.owner.post('/agent-jobs', jobs.body('Hi', { input: { session_id: newId() } }))).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
    const restricted = await space.owner.post('/agents', {
      name: 'R',
      model: 'sim-chat',
      systemPrompt: 'x',
      accessScope: 'RESTRICTED',
      allowedUserIds: [],
    });
    expect(await space.owner.post('/agent-jobs', jobs.body('Hi', { agentId: restricted.body.data.id }))).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
  });

  it('is one for one key, when a hundred ask at once', async () => {
    const key = { 'idempotency-key': newId() };
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => space.owner.post('/agent-jobs', jobs.body('Once'), { headers: key })),
    );
    const ids = new Set(replies.filter(({ status }) => status === 202).map(({ body }) => body.data.id));
    expect(ids.size).toBe(1);
    expect(
      replies
        .filter(({ status }) => status !== 202)
        .every(
          ({ status, body, headers }) =>
            status === 409 && body.code === 'REQUEST_IN_PROGRESS' && headers['retry-after'] === '1',
        ),
    ).toBe(true);
    const again = await space.owner.post('/agent-jobs', {
      ...jobs.body('Once'),
      idempotencyKey: key['idempotency-key'],
    });
    expect(again).toMatchObject({
      status: 202,
      body: { data: { id: [...ids][0], phase: 'QUEUED' } },
      headers: { 'idempotency-replayed': 'true' },
    });
    expect(await space.owner.post('/agent-jobs', jobs.body('Other'), { headers: key })).toMatchObject({
      status: 409,
      body: { code: 'IDEMPOTENCY_CONFLICT' },
    });
    expect(
      await platform.database.query(
        `select 1 from job.jobs where space_id = $1 and input #>> '{inputs,query}' = 'Once'`,
        [space.id],
      ),
    ).toHaveLength(1);
  });

  it('belongs to its maker', async () => {
    const member = await space.member('MEMBER');
    const { id } = await jobs.submit('Hi');
    expect(await member.get(`/agent-jobs/${id}`)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect((await member.post(`/agent-jobs/${id}/cancel`, {})).status).toBe(404);
    expect((await member.get('/agent-jobs')).body.data).toEqual([]);
    const theirs = (await member.post('/agent-jobs', jobs.body('Hi'))).body.data.id;
    expect((await space.owner.get(`/agent-jobs/${theirs}`)).status).toBe(200);
    const viewer = await space.member('VIEWER');
    expect(await viewer.post('/agent-jobs', jobs.body('Hi'))).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
    const other = await platform.newSpace();
    expect((await other.owner.get(`/agent-jobs/${id}`)).status).toBe(404);
    expect((await other.owner.post('/agent-jobs', jobs.body('Hi'))).status).toBe(404);
    expect((await space.owner.get('/agent-jobs/nope')).status).toBe(400);
  });
});

describe('a list of jobs', () => {
  it('leaves out what is long, and the single record has it', async () => {
    const own = await JobActions.open(await platform.newSpace());
    const { id } = await own.submit(`@@reply short\n${'x'.repeat(20_000)}`, { metadata: { note: 'y'.repeat(1000) } });
    await own.reaches(id, 'SUCCEEDED');
    const [listed] = (await own.client.get('/agent-jobs')).body.data;
    expect(listed).toMatchObject({
      id,
      input: { truncated: true, bytes: expect.any(Number) },
      result: { answer: expect.any(String) },
    });
    expect(listed.input.bytes).toBeGreaterThan(20_000);
    expect((await own.read(id)).input.inputs.query).toHaveLength(20_014);
  });
});

describe('attempts', () => {
  it('are repeated when the runtime fails, and counted', async () => {
    const small = await platform.newSpace();
    await small.owner.patch(`/spaces/${small.id}`, { settings: { jobConcurrency: 1 } });
    const own = await JobActions.open(small);
    // While the first attempt runs, an urgent job comes for the only place, so that the second one has to wait for it.
    const { id } = await own.submit('@@delay 2500\n@@cut 2\n@@tokens 9', { maxAttempts: 2 });
    await own.reaches(id, 'RUNNING');
    const urgent = await own.submit(SLOW, { priority: 9 });
    expect(await own.reaches(id, 'RETRYING')).toMatchObject({ error: { code: 'RUNTIME_UNAVAILABLE' } });
    await small.owner.post(`/agent-jobs/${urgent.id}/cancel`, {});
    expect(await own.reaches(id, 'FAILED')).toMatchObject({
      attempt: 2,
      error: { code: 'RUNTIME_UNAVAILABLE' },
      result: null,
    });
  });

  it('end with the first refusal', async () => {
    const small = await platform.newSpace();
    await small.owner.patch(`/spaces/${small.id}`, { settings: { jobConcurrency: 1 } });
    const own = await JobActions.open(small);
    const { id: holding } = await own.submit(SLOW);
    await own.reaches(holding, 'RUNNING');
    const { id } = await own.submit('Hi');
    const promptVariables = [{ name: 'topic', required: true }];
    expect((await small.owner.put(`/agents/${own.agentId}`, { promptVariables })).status).toBe(200);
    await small.owner.post(`/agent-jobs/${holding}/cancel`, {});
    expect(await own.reaches(id, 'FAILED')).toMatchObject({ attempt: 1, error: { code: 'VALIDATION_ERROR' } });
  });

  it('end with the first refusal of the model too', async () => {
    const refused = await Promise.all(['400', '404', '422'].map((status) => jobs.submit(`@@error ${status}`)));
    for (const { id } of refused)
      expect(await jobs.reaches(id, 'FAILED')).toMatchObject({ attempt: 1, error: { code: 'VALIDATION_ERROR' } });
  });

  it('are not used up while the provider asks to wait', async () => {
    const { id } = await jobs.submit('@@error 429', { maxAttempts: 1 });
    await until(
      async () =>
        (await platform.database.query('select 1 from job.jobs where id = $1 and turns > 1', [id])).length === 1,
    );
    await platform.database.query('update job.jobs set deadline_at = clock_timestamp() where id = $1', [id]);
    expect(await jobs.reaches(id, 'TIMED_OUT')).toMatchObject({ attempt: 1, error: { code: 'TIMEOUT' } });
  });

  it('end together when time is up', async () => {
    const { id } = await jobs.submit(SLOW, { timeoutSeconds: 1 });
    expect(await jobs.reaches(id, 'TIMED_OUT')).toMatchObject({ error: { code: 'TIMEOUT' }, result: null });
  });
});

describe('a cancellation', () => {
  it('stops a running job, also if the request is repeated', async () => {
    const { id } = await jobs.submit(SLOW);
    await jobs.reaches(id, 'RUNNING');
    const reply = await space.owner.post(`/agent-jobs/${id}/cancel`, {});
    expect(reply).toMatchObject({
      status: 200,
      body: { data: { id, phase: 'CANCELLING', cancelRequestedAt: expect.any(String) } },
    });
    expect((await space.owner.post(`/agent-jobs/${id}/cancel`, {})).status).toBe(200);
    expect(await jobs.reaches(id, 'CANCELLED')).toMatchObject({
      result: null,
      error: null,
      finishedAt: expect.any(String),
    });
    expect(await space.owner.post(`/agent-jobs/${id}/cancel`, {})).toMatchObject({
      status: 200,
      body: { data: { phase: 'CANCELLED' } },
    });
  });

  it('comes too late for a job that has ended', async () => {
    const { id } = await jobs.submit('Hi');
    await jobs.reaches(id, 'SUCCEEDED');
    expect(await space.owner.post(`/agent-jobs/${id}/cancel`, {})).toMatchObject({
      status: 409,
      body: { code: 'JOB_FINISHED' },
    });
  });
});

describe('places', () => {
  it('are counted over the Space, the urgent first', async () => {
    const small = await platform.newSpace();
    const own = await JobActions.open(small);
    await own.reaches((await own.submit('Hi')).id, 'SUCCEEDED');
    // A limit holds for what comes next, also where the one before it was known.
    await small.owner.patch(`/spaces/${small.id}`, { settings: { jobConcurrency: 1 } });
    const first = await own.submit(SLOW);
    await own.reaches(first.id, 'RUNNING');
    const [low, high, mid] = [
      await own.submit('low', { priority: 0 }),
      await own.submit('high', { priority: 9 }),
      await own.submit('mid'),
    ];
    expect(await own.read(low.id)).toMatchObject({ phase: 'QUEUED' });
    await small.owner.post(`/agent-jobs/${first.id}/cancel`, {});
    const done = await Promise.all([low, high, mid].map(({ id }) => own.reaches(id, 'SUCCEEDED')));
    const order = [...done].sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1)).map(({ priority }) => priority);
    expect(order).toEqual([9, 5, 0]);
  });

  it('a queued job is seen to wait, and cancelled at once', async () => {
    const small = await platform.newSpace();
    await small.owner.patch(`/spaces/${small.id}`, { settings: { jobConcurrency: 1 } });
    const own = await JobActions.open(small);
    const first = await own.submit(SLOW);
    await own.reaches(first.id, 'RUNNING');
    const queued = await own.submit('Hi');
    await platform.database.query(`update job.jobs set run_at = run_at - interval '2 hours' where id = $1`, [
      queued.id,
    ]);
    const waited = (): Promise<number> => platform.service('job').metric('switchyard_jobs_oldest_seconds');
    expect(Math.floor((await waited()) / 3_600)).toBe(2);
    expect(await small.owner.post(`/agent-jobs/${queued.id}/cancel`, {})).toMatchObject({
      status: 200,
      body: { data: { phase: 'CANCELLED', attempt: 0 } },
    });
    expect(await waited()).toBeLessThan(3_600);
    await small.owner.post(`/agent-jobs/${first.id}/cancel`, {});
    await own.reaches(first.id, 'CANCELLED');
  });
});
