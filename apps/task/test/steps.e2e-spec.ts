import { type Answer, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { Listener } from './listener';
import { TaskActions, stepOf, transform, wait } from './task-actions';

const platform = usePlatform();
const listeners: Listener[] = [];
let space: TestSpace;
let tasks: TaskActions;
beforeAll(async () => {
  space = await platform.newSpace();
  tasks = new TaskActions(space.owner);
});
afterAll(() => {
  for (const listener of listeners) listener.close();
});

const listen = async (...args: Parameters<typeof Listener.open>): Promise<Listener> => {
  const listener = await Listener.open(...args);
  listeners.push(listener);
  return listener;
};
const http = (url: string, more: Record<string, unknown> = {}) => ({
  id: 'call',
  type: 'http',
  with: { url, ...more },
});

describe('templates', () => {
  it('keep the types of values, and make missing ones null', async () => {
    const inputs = { n: 3, list: [1, 'b'], nested: { yes: true }, text: 'Ada' };
    const { output, steps } = await tasks.run(
      [
        transform('a', {
          n: '{{ execution.inputs.n }}',
          list: '{{ execution.inputs.list }}',
          deep: { yes: '{{ execution.inputs.nested.yes }}' },
        }),
        transform('b', {
          same: '{{ steps.a.output }}',
          hello: 'Hi {{ execution.inputs.text | upper }} {{ steps.a.output.n }}',
          none: '{{ steps.zz.output.q }}',
        }),
      ],
      { inputs },
    );
    expect(output).toEqual({ same: { n: 3, list: [1, 'b'], deep: { yes: true } }, hello: 'Hi ADA 3', none: null });
    expect(steps).toMatchObject([
      { id: 'a', type: 'transform', status: 'SUCCEEDED', attempt: 1, error: null },
      { id: 'b', status: 'SUCCEEDED' },
    ]);
  });

  it('reach nothing that is not data', async () => {
    const { output } = await tasks.run([
      transform('a', { a: '{{ execution.constructor }}', b: '{{ process.env.PATH }}', c: '{{ steps.__proto__ }}' }),
    ]);
    expect(output).toEqual({ a: null, b: null, c: null });
  });

  it('that grow without end fail their step before they are built', async () => {
    const grow = `{{ execution.inputs.text | replace: "x", "${'y'.repeat(3000)}" }}`;
    const replaced = await tasks.run([transform('a', { grow })], {
      inputs: { text: 'x'.repeat(100_000) },
      status: 'FAILED',
    });
    expect(stepOf(replaced, 'a')).toMatchObject({
      input: null,
      output: null,
      error: { code: 'VALIDATION_ERROR', message: expect.stringContaining('TASK_VALUE_MAX_BYTES') },
    });
    const repeated = await tasks.run([transform('a', { grow: '{{ execution.inputs.text }}'.repeat(300) })], {
      inputs: { text: 'x'.repeat(100_000) },
      status: 'FAILED',
    });
    expect(stepOf(repeated, 'a').error.message).toContain('_MAX_BYTES');
  });

  it('have a bound for all steps of an execution together', async () => {
    const steps = Array.from({ length: 12 }, (_, i) => transform(`s${i}`, { text: '{{ execution.inputs.text }}' }));
    const id = await tasks.start((await tasks.create({ steps })).id, { text: 'x'.repeat(1_000_000) });
    const run = await until(async () => {
      const { data } = (await space.owner.get(`/tasks/runs/${id}`)).body;
      return data.status === 'FAILED' && data;
    });
    expect(run).toMatchObject({
      progress: { done: 9, total: 12 },
      error: { code: 'PAYLOAD_TOO_LARGE', message: expect.stringContaining('TASK_EXECUTION_MAX_BYTES') },
    });
  });

  it('lay the inputs of an execution over those of the task', async () => {
    const execution = await tasks.run([transform('a', { all: '{{ execution.inputs }}' })], {
      task: { inputs: { a: 1, b: 1 } },
      inputs: { b: 2 },
    });
    expect(execution).toMatchObject({ inputs: { a: 1, b: 2 }, output: { all: { a: 1, b: 2 } } });
  });
});

describe('conditions', () => {
  it.each([
    [true, 'SUCCEEDED'],
    [1, 'SUCCEEDED'],
    ['x', 'SUCCEEDED'],
    [[], 'SUCCEEDED'],
    [false, 'SKIPPED'],
    [0, 'SKIPPED'],
    ['', 'SKIPPED'],
    [null, 'SKIPPED'],
  ] as const)('a value of %j: %s', async (go, status) => {
    const execution = await tasks.run(
      [{ ...transform('a', { x: 1 }), if: '{{ execution.inputs.go }}' }, transform('b', { a: '{{ steps.a.output }}' })],
      { inputs: { go } },
    );
    expect(stepOf(execution, 'a').status).toBe(status);
    expect(execution.output).toEqual({ a: status === 'SKIPPED' ? null : { x: 1 } });
  });
});

describe('http steps', () => {
  it('whose address answers with too many values fail before the values are built', async () => {
    const many = `[${'{},'.repeat(250_000)}{}]`;
    const listener = await listen(() => ({ body: many }));
    const failed = await tasks.run([http(listener.url)], { status: 'FAILED' });
    expect(stepOf(failed, 'call')).toMatchObject({
      output: null,
      error: { code: 'PAYLOAD_TOO_LARGE', message: expect.stringContaining('200000 JSON values') },
    });
    expect(listener.heard).toHaveLength(1);
    // As a text it is one value.
    const { id } = await tasks.create({ steps: [http(listener.url, { responseType: 'text' })] });
    const run = await tasks.start(id);
    await until(async () => (await space.owner.get(`/tasks/runs/${run}`)).body.data.status === 'SUCCEEDED');
  });

  it('weigh each value of an answer, and not its text alone', async () => {
    // 45 KiB of text, 30,000 values: nine of them are the 16 MiB of an execution.
    const listener = await listen(() => ({ body: `[${'{},'.repeat(29_999)}{}]` }));
    const steps = Array.from({ length: 10 }, (_, at) => ({ ...http(listener.url), id: `s${at}` }));
    const id = await tasks.start((await tasks.create({ steps })).id);
    const run = await until(async () => {
      const { data } = (await space.owner.get(`/tasks/runs/${id}`)).body;
      return data.status === 'FAILED' && data;
    });
    expect(run.error).toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: expect.stringContaining('TASK_EXECUTION_MAX_BYTES'),
    });
  });

  it('send what they are told under a name of their own, and give what came back', async () => {
    const listener = await listen(() => ({ status: 201, body: { id: 7 }, headers: { 'x-answer': 'yes' } }));
    const execution = await tasks.run(
      [
        http(`${listener.url}/orders?x=1`, {
          method: 'POST',
          headers: { 'X-A': '{{ execution.inputs.a }}' },
          body: { n: '{{ execution.inputs.n }}' },
        }),
      ],
      { inputs: { a: 'b', n: 5 } },
    );
    expect(execution.output).toMatchObject({ status: 201, body: { id: 7 }, headers: { 'x-answer': 'yes' } });
    expect(listener.heard).toMatchObject([
      {
        method: 'POST',
        path: '/orders?x=1',
        body: '{"n":5}',
        headers: { 'x-a': 'b', 'content-type': 'application/json', 'idempotency-key': `${execution.id}:call` },
      },
    ]);
  });

  it('give text that is no JSON as it is', async () => {
    const listener = await listen(() => ({ body: 'plain' }));
    expect((await tasks.run([http(listener.url)])).output.body).toBe('plain');
  });

  it('fail at 400 and over, and show the answer', async () => {
    const listener = await listen(() => ({ status: 418, body: { why: 'teapot' } }));
    const execution = await tasks.run([http(listener.url), transform('b', {})], { status: 'FAILED' });
    expect(execution).toMatchObject({
      output: null,
      error: { code: 'HTTP_ERROR', message: expect.stringContaining('418') },
    });
    expect(stepOf(execution, 'call')).toMatchObject({
      status: 'FAILED',
      output: { status: 418, body: { why: 'teapot' } },
    });
    expect(stepOf(execution, 'b')).toMatchObject({ status: 'SKIPPED', attempt: 0, startedAt: null, finishedAt: null });
  });

  it('try again under the same name, as their rule says', async () => {
    const listener = await listen((_, count) => ({ status: count < 3 ? 500 : 200 }));
    const execution = await tasks.run([{ ...http(listener.url), retry: { maxAttempts: 3, backoffSeconds: 0.05 } }]);
    expect(stepOf(execution, 'call')).toMatchObject({ status: 'SUCCEEDED', attempt: 3, error: null });
    expect(new Set(listener.heard.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  it('may fail without failing the execution', async () => {
    const listener = await listen(() => ({ status: 500 }));
    const execution = await tasks.run([
      { ...http(listener.url), continueOnError: true },
      transform('b', { code: '{{ steps.call.error.code }}' }),
    ]);
    expect(execution).toMatchObject({ status: 'SUCCEEDED', error: null, output: { code: 'HTTP_ERROR' } });
    expect(stepOf(execution, 'call').status).toBe('FAILED');
  });

  it('do not show the credentials that they send', async () => {
    const listener = await listen();
    const execution = await tasks.run([http(listener.url, { headers: { Authorization: 'Bearer s3cret' } })]);
    expect(listener.heard[0]?.headers.authorization).toBe('Bearer s3cret');
    expect(JSON.stringify(execution)).not.toContain('s3cret');
  });

  it('never reach an address that is not public', async () => {
    const inner = await listen(undefined, '127.0.0.1');
    const outer = await listen(() => ({ status: 302, headers: { location: inner.url } }));
    const port = new URL(inner.url).port;
    const targets = [
      inner.url,
      `http://localhost:${port}/`,
      `http://2130706433:${port}/`,
      `http://0x7f.1:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      `http://127.0.0.1.:${port}/`,
      `http://0.0.0.0:${port}/`,
      'http://169.254.169.254/latest/meta-data/',
      'http://10.0.0.1/',
      'http://[fd00::1]/',
      `http://user:pw@127.0.0.2:${port}/`,
      'file:///etc/passwd',
      'gopher://127.0.0.2/',
      outer.url,
    ];
    const steps = targets.map((url, i) => ({
      id: `s${i}`,
      type: 'http',
      with: { url: `{{ "${url}" }}` },
      continueOnError: true,
    }));
    const execution = await tasks.run(steps);
    expect(execution.steps.map(({ status, error }: Answer) => [status, error?.code])).toEqual(
      targets.map(() => ['FAILED', 'VALIDATION_ERROR']),
    );
    expect(inner.heard).toHaveLength(0);
  });
});

describe('wait steps', () => {
  it('wait, and hold no worker while they do', async () => {
    const many = await Promise.all(
      Array.from({ length: 5 }, () => tasks.create({ steps: [wait('w', 1)], concurrency: { limit: 5 } })),
    );
    const started = Date.now();
    const ids = await Promise.all(many.map(({ id }) => tasks.start(id)));
    await Promise.all(ids.map((id) => tasks.reaches(id, 'SUCCEEDED')));
    expect(Date.now() - started).toBeGreaterThan(950);
    expect(
      await platform.database.query(
        `select 1 from task.executions where status = 'RUNNING' and worker is not null and id = any($1)`,
        [ids],
      ),
    ).toHaveLength(0);
  });
});

describe('dataset steps', () => {
  it('insert, update, query, count and delete', async () => {
    const created = await space.owner.post('/datasets', {
      name: 'D',
      schema: {
        fields: [
          { name: 'title', type: 'string' },
          { name: 'n', type: 'integer' },
        ],
      },
    });
    const datasetId = created.body.data.id;
    const dataset = (id: string, operation: string, more: Record<string, unknown>) => ({
      id,
      type: 'dataset',
      with: { datasetId, operation, ...more },
    });
    const execution = await tasks.run(
      [
        dataset('insert', 'insert', {
          records: [
            { title: '{{ execution.inputs.title }}', n: '{{ execution.inputs.n }}' },
            { title: 'b', n: 2 },
          ],
        }),
        dataset('update', 'update', { filter: { title: 'b' }, set: { n: 9 } }),
        dataset('query', 'query', { ids: '{{ steps.insert.output.ids }}', sort: [{ field: 'n', direction: 'asc' }] }),
        dataset('count', 'count', { filter: {} }),
        dataset('delete', 'delete', { ids: '{{ steps.insert.output.ids }}' }),
      ],
      { inputs: { title: 'a', n: 1 } },
    );
    expect(stepOf(execution, 'insert').output).toMatchObject({
      inserted: 2,
      ids: [expect.any(String), expect.any(String)],
    });
    expect(stepOf(execution, 'query').output).toMatchObject([
      { title: 'a', n: 1 },
      { title: 'b', n: 9 },
    ]);
    expect(stepOf(execution, 'count').output).toEqual({ count: 2 });
    expect(stepOf(execution, 'delete').output).toEqual({ deleted: 2 });
  });

  it('fail with what the dataset refuses', async () => {
    const created = await space.owner.post('/datasets', {
      name: 'D',
      schema: { fields: [{ name: 'n', type: 'integer' }] },
    });
    const step = {
      id: 'd',
      type: 'dataset',
      with: { datasetId: created.body.data.id, operation: 'insert', records: [{ n: 'three' }] },
    };
    expect(await tasks.run([step], { status: 'FAILED' })).toMatchObject({
      error: { code: 'VALIDATION_ERROR', message: expect.stringContaining('n') },
    });
  });
});

describe('agent steps', () => {
  it('give the execute result', async () => {
    const agent = await space.owner.post('/agents', { name: 'A', model: 'sim-chat', systemPrompt: 'You help.' });
    const execution = await tasks.run(
      [
        {
          id: 'ask',
          type: 'agent',
          with: { agentId: agent.body.data.id, inputs: { query: '@@reply Hello {{ execution.inputs.name }}' } },
        },
        transform('b', { said: '{{ steps.ask.output.answer }}' }),
      ],
      { inputs: { name: 'Ada' } },
    );
    expect(execution.output).toEqual({ said: 'Hello Ada' });
    expect(stepOf(execution, 'ask').output).toMatchObject({
      agent_id: agent.body.data.id,
      token_usage: { total_tokens: expect.any(Number) },
      execution_time: expect.any(Number),
    });
  });

  it('try a failing runtime again with a turn of its own', async () => {
    const agent = await space.owner.post('/agents', { name: 'A', model: 'sim-chat', systemPrompt: 'You help.' });
    const step = {
      id: 'ask',
      type: 'agent',
      with: { agentId: agent.body.data.id, inputs: { query: '@@error 500' } },
      retry: { maxAttempts: 2, backoffSeconds: 0.05 },
    };
    const execution = await tasks.run([step], { status: 'FAILED' });
    expect(execution.error.code).toBe('RUNTIME_UNAVAILABLE');
    expect(stepOf(execution, 'ask').attempt).toBe(2);
    const refused = { ...step, with: { ...step.with, inputs: { query: '@@error 400' } } };
    const once = await tasks.run([refused], { status: 'FAILED' });
    expect([once.error.code, stepOf(once, 'ask').attempt]).toEqual(['VALIDATION_ERROR', 1]);
  });
});
