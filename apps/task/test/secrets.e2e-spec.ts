import { randomBytes } from 'node:crypto';
import {
  type Client,
  type Reply,
  type TestSpace,
  findCanaries,
  hasCanary,
  until,
  usePlatform,
} from '@switchyard/testing';
import { type Heard, Listener } from './listener';
import { type Step, TaskActions } from './task-actions';

const platform = usePlatform();

describe('secrets in http steps', () => {
  let space: TestSpace;
  let owner: Client;
  let tasks: TaskActions;
  let listener: Listener;
  const closing: Listener[] = [];

  beforeAll(async () => {
    space = await platform.newSpace();
    owner = space.owner;
    tasks = new TaskActions(owner);
    listener = await Listener.open();
    closing.push(listener);
  });
  afterAll(() => {
    closing.forEach((each) => {
      each.close();
    });
  });

  const secret = async (name: string, value: string, more: object = {}): Promise<string> => {
    const reply = await owner.post('/secrets', { name, value, ...more });
    expect(reply.status).toBe(201);
    return reply.body.data.id as string;
  };
  const http = (input: object): Step[] => [{ id: 'call', type: 'http', with: { url: listener.url, ...input } }];
  const save = (body: object, as = owner): Promise<Reply> => as.post('/tasks', { name: 'Test', ...body });
  const lastHeard = (): Heard | undefined => listener.heard.at(-1);

  it('go into the query, the headers and the body, and are recorded as ***', async () => {
    await secret('PLACE', 'a/b&c d"é');
    const steps: Step[] = [
      {
        id: 'call',
        type: 'http',
        with: {
          method: 'POST',
          url: `${listener.url}/{{ execution.inputs.where }}?q={{ secrets.PLACE }}&x={{ execution.inputs.where }}`,
          headers: { 'X-Token': 'Token {{secrets.ASCII}}', Authorization: 'Bearer {{ secrets.ASCII }}' },
          body: { deep: [{ key: 'is {{ secrets.PLACE }}' }] },
        },
      },
    ];
    await secret('ASCII', 'plain-ascii');
    const run = await tasks.run(steps, { inputs: { where: 'here' } });
    const received = lastHeard();
    expect(received?.path).toBe(`/here?q=${encodeURIComponent('a/b&c d"é')}&x=here`);
    expect(received?.headers).toMatchObject({ 'x-token': 'Token plain-ascii', authorization: 'Bearer plain-ascii' });
    expect(JSON.parse(received?.body ?? '')).toEqual({ deep: [{ key: 'is a/b&c d"é' }] });
    expect(run.steps[0].input).toEqual({
      method: 'POST',
      url: `${listener.url}/here?q=***&x=here`,
      headers: { 'X-Token': 'Token ***', Authorization: '***' },
      body: { deep: [{ key: 'is ***' }] },
    });
    const listed = (await owner.get('/secrets')).body.data as { name: string; lastUsedAt: string | null }[];
    expect(listed.find(({ name }) => name === 'PLACE')?.lastUsedAt).toEqual(expect.any(String));
  });

  it.each<[string, object, string]>([
    ['the host', { steps: http2({ url: 'https://{{ secrets.KNOWN }}.example/?a=b' }) }, 'steps[0].with.url'],
    ['the path', { steps: http2({ url: 'https://a.example/{{ secrets.KNOWN }}?a=b' }) }, 'steps[0].with.url'],
    ['the fragment', { steps: http2({ url: 'https://a.example/?a#{{ secrets.KNOWN }}' }) }, 'steps[0].with.url'],
    [
      'a query that a template may have opened',
      { steps: http2({ url: '{{ execution.inputs.url }}{{ secrets.KNOWN }}' }) },
      'steps[0].with.url',
    ],
    [
      'the method',
      { steps: http2({ url: 'https://a.example', method: '{{ secrets.KNOWN }}' }) },
      'steps[0].with.method',
    ],
    [
      'the name of a header',
      { steps: http2({ url: 'https://a.example', headers: { '{{ secrets.KNOWN }}': 'x' } }) },
      'steps[0].with.headers',
    ],
    [
      'headers as a whole',
      { steps: http2({ url: 'https://a.example', headers: '{{ secrets.KNOWN }}' }) },
      'steps[0].with.headers',
    ],
    [
      'the name of a field',
      { steps: http2({ url: 'https://a.example', body: { '{{ secrets.KNOWN }}': 1 } }) },
      'steps[0].with.body',
    ],
    [
      'a filter',
      { steps: http2({ url: 'https://a.example', body: '{{ secrets.KNOWN | upper }}' }) },
      'steps[0].with.body',
    ],
    [
      'a condition',
      { steps: [{ ...http2({ url: 'https://a.example' })[0], if: '{{ secrets.KNOWN }}' }] },
      'steps[0].if',
    ],
    [
      'a step of another type',
      { steps: [{ id: 'a', type: 'transform', with: { x: '{{ secrets.KNOWN }}' } }] },
      'steps[0].with.x',
    ],
    [
      'default inputs',
      { steps: http2({ url: 'https://a.example' }), inputs: { a: ['{{ secrets.KNOWN }}'] } },
      'inputs.a[0]',
    ],
    [
      'a description',
      { steps: http2({ url: 'https://a.example' }), description: '{{ secrets.KNOWN }}' },
      'description',
    ],
    ['an unknown name', { steps: http2({ url: 'https://a.example?{{ secrets.UNKNOWN }}' }) }, 'steps'],
    ['a name in another case', { steps: http2({ url: 'https://a.example?{{ secrets.known }}' }) }, 'steps'],
  ])('are refused in %s', async (_, body, at) => {
    await owner.post('/secrets', { name: 'KNOWN', value: 'x' });
    const reply = await save(body);
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(reply.body.details[0].path).toBe(at);
  });

  it('need the scope secrets:read of those who save the task', async () => {
    await owner.post('/secrets', { name: 'KNOWN', value: 'x' });
    const steps = http({ body: '{{ secrets.KNOWN }}' });
    const without = await space.key({ scopes: ['tasks:write'] });
    expect((await save({ steps }, without)).status).toBe(403);
    const made = await save({ steps: http({ body: 'x' }) }, without);
    expect((await without.put(`/tasks/${made.body.data.id}`, { steps })).status).toBe(403);
    expect((await save({ steps }, await space.key({ scopes: ['tasks:write', 'secrets:read'] }))).status).toBe(201);
  });

  it('are named by those who use them, and stay while they do', async () => {
    const id = await secret('USED', 'x');
    const task = await tasks.create({ name: 'Nightly', steps: http({ headers: { 'X-A': '{{secrets.USED}}' } }) });
    const agent = await owner.post('/agents', {
      name: 'Helper',
      model: 'sim-chat',
      systemPrompt: 'x',
      mcpServers: [
        { name: 'crm', url: 'http://127.0.0.2:1/mcp', headers: { Authorization: 'Bearer {{ secrets.USED }}' } },
      ],
    });
    expect(agent.status).toBe(201);
    const usedBy = [
      { kind: 'task', id: task.id, name: 'Nightly' },
      { kind: 'agent', id: agent.body.data.id, name: 'Helper' },
    ];
    expect((await owner.get(`/secrets/${id}`)).body.data.usedBy).toEqual(usedBy);
    const refused = await owner.delete(`/secrets/${id}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
    expect(refused.body.message).toContain('task "Nightly"');
    await owner.put(`/tasks/${task.id}`, { steps: http({ body: 'x' }) });
    expect((await owner.get(`/secrets/${id}`)).body.data.usedBy).toEqual([usedBy[1]]);
    expect((await owner.delete(`/secrets/${id}?force=true`)).status).toBe(200);
  });

  it('fail a step with SECRET_MISSING when they are gone, without sending anything', async () => {
    const id = await secret('GONE', 'x');
    const task = await tasks.create({ steps: http({ body: 'for {{ secrets.GONE }}', url: `${listener.url}/gone` }) });
    await owner.delete(`/secrets/${id}?force=true`);
    const run = await tasks.reaches(await tasks.start(task.id), 'FAILED');
    expect(run.error).toMatchObject({ code: 'SECRET_MISSING' });
    expect(listener.heard.filter((received) => received.path === '/gone')).toEqual([]);
  });

  it('go to their hosts alone: a request elsewhere fails before anything is sent', async () => {
    const port = new URL(listener.url).port;
    for (const [name, hosts, isAllowed] of [
      ['HOST_NAME', ['api.example.com'], false],
      ['HOST_PORT', ['127.0.0.2:1'], false],
      ['HOST_OK', ['api.example.com', `127.0.0.2:${port}`], true],
    ] as const) {
      await secret(name, 'only there', { hosts });
      const steps = http({ url: `${listener.url}/hosts?${name}`, headers: { 'X-A': `{{ secrets.${name} }}` } });
      const run = await tasks.run(steps, { status: isAllowed ? 'SUCCEEDED' : 'FAILED' });
      if (!isAllowed) expect(run.error).toMatchObject({ code: 'SECRET_NOT_ALLOWED' });
      expect(listener.heard.filter((received) => received.path === `/hosts?${name}`)).toHaveLength(isAllowed ? 1 : 0);
    }
  });

  it('cannot make a step larger than a step may be', async () => {
    await secret('LARGE', 'x'.repeat(8192));
    const steps = http({ method: 'POST', url: `${listener.url}/large`, body: '{{ secrets.LARGE }}'.repeat(200) });
    const run = await tasks.run(steps, { status: 'FAILED' });
    expect(run.error).toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: expect.stringContaining('TASK_STEP_MAX_BYTES'),
    });
    expect(listener.heard.filter((received) => received.path === '/large')).toEqual([]);
  });

  it('are not named by the host that a redirect makes of them', async () => {
    await secret('HOSTED', 'hosted-canary');
    const first = await Listener.open((received) => ({
      status: 307,
      headers: { location: `http://${received.body}.localhost:1/` },
    }));
    closing.push(first);
    const run = await tasks.run(
      [{ id: 'call', type: 'http', with: { method: 'POST', url: first.url, body: '{{ secrets.HOSTED }}' } }],
      { status: 'FAILED' },
    );
    expect(run.error).toMatchObject({ code: 'SECRET_NOT_ALLOWED' });
    expect(JSON.stringify(run)).not.toContain('hosted-canary');
  });

  it('do not follow a redirect to another origin', async () => {
    await secret('REDIRECTED', 'redirect-canary');
    const target = await Listener.open(() => undefined, '127.0.0.2');
    const first = await Listener.open((received) =>
      received.path.startsWith('/same')
        ? { status: 307, headers: { location: '/there' } }
        : received.path === '/there'
          ? {}
          : { status: 307, headers: { location: `${target.url}/?${received.path}` } },
    );
    closing.push(target, first);
    const run = await tasks.run(
      [
        {
          id: 'call',
          type: 'http',
          with: { method: 'POST', url: `${first.url}/?q={{ secrets.REDIRECTED }}`, body: '{{ secrets.REDIRECTED }}' },
        },
      ],
      { status: 'FAILED' },
    );
    expect(run.error).toMatchObject({ code: 'SECRET_NOT_ALLOWED' });
    expect(JSON.stringify(run)).not.toContain(new URL(target.url).host);
    expect(target.heard).toEqual([]);
    await tasks.run([
      {
        id: 'call',
        type: 'http',
        with: { method: 'POST', url: `${first.url}/same`, body: '{{ secrets.REDIRECTED }}' },
      },
    ]);
    expect(first.heard.at(-1)).toMatchObject({ path: '/there', body: 'redirect-canary' });
  });

  it('take a new value within a second, also for a run in progress', async () => {
    const id = await secret('TURNING', 'old');
    let release = (): void => undefined;
    const leased = new Promise<void>((resolve) => (release = resolve));
    const slow = await Listener.open((received) => (received.path === '/first' ? { after: leased } : {}));
    closing.push(slow);
    const call = (step: string): Step => ({
      id: step,
      type: 'http',
      with: { url: `${slow.url}/${step}`, headers: { 'x-key': '{{ secrets.TURNING }}' } },
    });
    const task = await tasks.create({ steps: [call('first'), call('second')] });
    const run = await tasks.start(task.id);
    await until(() => Promise.resolve(slow.heard.length === 1));
    expect((await owner.put(`/secrets/${id}`, { value: 'new' })).status).toBe(200);
    release();
    await tasks.reaches(run, 'SUCCEEDED');
    expect(slow.heard.map(({ headers }) => headers['x-key'])).toEqual(['old', 'new']);
  });
});

describe('credentials that are written out in steps', () => {
  it('are shown to those who may change the task alone', async () => {
    const space = await platform.newSpace();
    await space.owner.post('/secrets', { name: 'K', value: 'x' });
    const headers = {
      Authorization: 'Bearer literal',
      'proxy-authorization': 'x',
      COOKIE: 'a=b',
      'X-Api-Key': 'key {{ execution.inputs.x }}',
      'x-other': 'shown',
    };
    const templated = { Authorization: 'Bearer {{ secrets.K }}', 'x-api-key': '{{ execution.inputs.key }}' };
    const steps = [headers, templated].map((each, i) => ({
      id: `s${i}`,
      type: 'http',
      with: { url: 'https://a.example', headers: each },
    }));
    const made = await space.owner.post('/tasks', { name: 'Test', steps });
    expect(made.body.data.steps).toEqual(steps);
    const masked = {
      Authorization: '***',
      'proxy-authorization': '***',
      COOKIE: '***',
      'X-Api-Key': '***',
      'x-other': 'shown',
    };
    const task = `/tasks/${made.body.data.id}`;
    const viewer = await space.member('VIEWER');
    const reader = await space.key({ scopes: ['tasks:read'] });
    const viewersKey = await space.key({}, await space.member('ADMIN'));
    for (const [client, first] of [
      [viewer, masked],
      [reader, masked],
      [viewersKey, headers],
      [await space.member(), headers],
    ] as const) {
      const shown = (await client.get(task)).body.data.steps as Step[];
      expect(shown.map((step) => step.with['headers'])).toEqual([first, templated]);
      const [listed] = (await client.get('/tasks')).body.data as object[];
      expect(listed).not.toHaveProperty('steps');
    }
  });
});

describe('a canary', () => {
  it('that another side echoes in every form is nowhere afterwards', async () => {
    const space = await platform.newSpace();
    const { owner } = space;
    const tasks = new TaskActions(owner);
    const canary = `cañ"ary/${randomBytes(12).toString('base64')}+&<é>\\`;
    const ascii = `canary-${randomBytes(18).toString('base64')}`;
    const number = `9${randomBytes(6).readUIntBE(0, 6)}`.slice(0, 15);
    const values = [canary, ascii, number];
    const answers: Reply[] = [];
    for (const [i, value] of values.entries())
      answers.push(await owner.post('/secrets', { name: `CANARY_${i}`, value }));

    const forms = (value: string): unknown => ({
      plain: value,
      [value]: 'as a key',
      url: encodeURIComponent(value),
      form: new URLSearchParams({ value }).toString(),
      json: JSON.stringify({ value }),
      base64: Buffer.from(value).toString('base64'),
      base64url: Buffer.from(value).toString('base64url'),
      basic: Buffer.from(`user:${value}`).toString('base64'),
      number: Number(number),
    });
    const echo = await Listener.open((received, count) => ({
      status: count % 2 === 0 ? 500 : 200,
      body: { ...received, forms: values.map(forms) },
      headers: { 'x-echo': encodeURIComponent(canary), 'set-cookie': ascii },
    }));
    try {
      const carrying = {
        url: `${echo.url}/?a={{ secrets.CANARY_0 }}&b={{ secrets.CANARY_1 }}`,
        method: 'POST',
        headers: { Authorization: 'Bearer {{ secrets.CANARY_1 }}', 'X-B': '{{ secrets.CANARY_1 }}' },
        body: { all: '{{ secrets.CANARY_0 }} {{ secrets.CANARY_1 }} {{ secrets.CANARY_2 }}' },
      };
      const step = (id: string, type: string, input: object): Step => ({
        id,
        type,
        with: input as Record<string, unknown>,
      });
      const task = await tasks.create({
        steps: [
          step('json', 'http', carrying),
          { ...step('failed', 'http', carrying), continueOnError: true },
          // Another step's request brings it back.
          step('later', 'http', { url: `${echo.url}/later`, responseType: 'text' }),
          step('copied', 'transform', { all: '{{ steps }}', first: '{{ steps.json.output | json }}' }),
        ],
      });
      const id = await tasks.start(task.id);
      await tasks.reaches(id, 'SUCCEEDED');
      expect(echo.heard).toHaveLength(3);
      expect(echo.heard[0]?.body).toContain(ascii);
      for (const path of [
        `/tasks/executions/${id}`,
        `/tasks/${task.id}`,
        `/tasks/${task.id}/executions`,
        '/tasks/executions',
        `/tasks/runs/${id}`,
        '/secrets',
        `/spaces/${space.id}/security-events`,
      ])
        answers.push(await owner.get(path));

      const shown = answers.map(({ body, headers }) => JSON.stringify([body, headers]));
      expect(shown.filter((text) => hasCanary(text, values))).toEqual([]);
      expect(await findCanaries(platform, values)).toEqual([]);
    } finally {
      echo.close();
    }
  });
});

function http2(input: object): Step[] {
  return [{ id: 'call', type: 'http', with: input as Record<string, unknown> }];
}
