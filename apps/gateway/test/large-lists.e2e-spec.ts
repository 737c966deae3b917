import { type Answer, type Client, type TestSpace, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const PAGE_BYTES = 2 * 1024 * 1024;
/** Fields that lists omit: they are read from the single record. */
const LARGE_OF_TASKS = ['steps', 'inputs', 'metadata'];
const LARGE_OF_AGENTS = ['systemPrompt', 'mcpServers', 'localTools', 'responseSchema', 'approvals', 'metadata'];

let space: TestSpace;
let owner: Client;

/** All rows of a list, page by page; each page within what an answer may have. */
async function everyRow(path: string): Promise<Answer[]> {
  const rows: Answer[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const reply: { status: number; body: Answer } = await owner.get(
      `${path}${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    expect(reply.status).toBe(200);
    expect(Buffer.byteLength(JSON.stringify(reply.body))).toBeLessThan(PAGE_BYTES * 1.1);
    rows.push(...(reply.body.data as Answer[]));
    cursor = reply.body.page.nextCursor;
  }
  return rows;
}

const expectNone = (rows: readonly Answer[], fields: readonly string[]): void => {
  for (const row of rows) expect(fields.filter((field) => field in row)).toEqual([]);
};

beforeAll(async () => {
  space = await platform.newSpace();
  ({ owner } = space);
});

describe('lists of large things', () => {
  it('show tasks without what can be large, and end no process', async () => {
    const began = platform.service('task').pid;
    const step = { id: 'a', type: 'transform', with: { text: 'x' } };
    for (let n = 0; n < 40; n += 1)
      expect((await owner.post('/tasks', { name: `T${n}`, steps: [step] })).status).toBe(201);
    // As tasks could be before their steps had a limit.
    await platform.database.query(
      `update task.tasks set steps = jsonb_build_array(jsonb_build_object('id', 'a', 'type', 'transform', 'with',
         jsonb_build_object('text', repeat('x', 9000000)))) where space_id = $1`,
      [space.id],
    );
    const lists = await Promise.all(Array.from({ length: 10 }, () => owner.get('/tasks?limit=100')));
    for (const { status, body } of lists) {
      expect([status, body.data.length, body.page.nextCursor]).toEqual([200, 40, null]);
      expectNone(body.data as Answer[], LARGE_OF_TASKS);
    }
    expect(platform.service('task').pid).toBe(began);
  });

  it('show agents and their versions without what can be large, at every protocol', async () => {
    const own = await platform.newSpace();
    const began = platform.service('agent').pid;
    const large = {
      systemPrompt: 'x'.repeat(200_000),
      metadata: { note: 'y'.repeat(16_000) },
      promptVariables: [{ name: 'v' }],
    };
    const ids: string[] = [];
    for (let n = 0; n < 30; n += 1) {
      const made = await own.owner.post('/agents', { name: `A${n}`, model: 'sim-chat', ...large });
      expect(made.status).toBe(201);
      ids.push(made.body.data.id as string);
    }
    const lists = await Promise.all(Array.from({ length: 20 }, () => own.owner.get('/agents?limit=100')));
    for (const { status, body } of lists) {
      expect([status, body.data.length, body.page.nextCursor]).toEqual([200, 30, null]);
      expectNone(body.data as Answer[], LARGE_OF_AGENTS);
    }
    const path = `/agents/${ids[0]}/versions`;
    const [listed] = (await own.owner.get(path)).body.data;
    expectNone([listed.agent], LARGE_OF_AGENTS);
    const stored = await own.owner.get(`${path}/1`);
    expect(stored).toMatchObject({ status: 200, body: { data: { version: 1, agent: { metadata: large.metadata } } } });
    expect((await own.owner.get(`${path}/2`)).status).toBe(404);
    expect((await own.owner.get(`${path}/zero`)).status).toBe(400);
    const models = await own.owner.raw('GET', '/openai/v1/models');
    expect(models.status).toBe(200);
    expect(models.body.data.length).toBeGreaterThanOrEqual(30);
    expect(platform.service('agent').pid).toBe(began);
  });

  it('end by the bytes of manifests, and the cursor alone says that there is more', async () => {
    const events = [{ name: 'made', schema: { type: 'object' } }];
    for (let n = 0; n < 4; n += 1) {
      const manifest = { identifier: `app-${n}`, name: `App ${n}`, version: '1.0.0', events };
      expect((await owner.post('/applications', { manifest })).status).toBe(201);
    }
    // As manifests could be before they had a limit.
    await platform.database.query(
      `update event_bus.applications set manifest = jsonb_set(manifest, '{events,0,schema,title}', to_jsonb(repeat('x', 1500000))) where space_id = $1`,
      [space.id],
    );
    await platform.database.query(
      `update event_bus.registered_events set schema = jsonb_build_object('description', repeat('x', 1500000)) where space_id = $1`,
      [space.id],
    );
    const first = await owner.get('/applications?limit=100&platform=false');
    expect([first.body.data.length, typeof first.body.page.nextCursor]).toEqual([1, 'string']);
    expect(
      (await everyRow('/applications?limit=100&platform=false')).map(({ identifier }) => identifier as string),
    ).toEqual(['app-3', 'app-2', 'app-1', 'app-0']);
    expect(await everyRow('/events/registered?limit=100&platform=false')).toHaveLength(4);
  });

  it('show executions without what their steps were to do, and end by the bytes of what these made', async () => {
    const steps = [{ id: 'a', type: 'transform', with: { text: 'x'.repeat(15_000) } }];
    const task = await owner.post('/tasks', { name: 'Runs', steps });
    for (let n = 0; n < 5; n += 1)
      expect((await owner.post(`/tasks/${task.body.data.id}/execute`, {})).status).toBe(202);
    await platform.database.query(
      `insert into task.execution_steps (space_id, execution_id, step_id, status, attempt, tries, outages, input, output)
         select space_id, id, 's' || n, 'SUCCEEDED', 1, 1, 0, to_jsonb(repeat('x', 10000)), to_jsonb(repeat('y', 10000))
           from task.executions cross join generate_series(1, 90) n where space_id = $1`,
      [space.id],
    );
    const first = await owner.get('/tasks/executions?limit=100');
    expect(first.body.data.length).toBeLessThan(5);
    const rows = await everyRow('/tasks/executions?limit=100');
    expect(rows).toHaveLength(5);
    for (const row of rows) expect(row.steps).toMatchObject([{ id: 'a', type: 'transform' }]);
  });

  it('show sessions and jobs without their metadata', async () => {
    const own = await platform.newSpace();
    for (let n = 0; n < 4; n += 1)
      expect((await own.owner.post('/agents/sessions', { metadata: { n } })).status).toBe(201);
    // As metadata could be before it had a limit.
    await platform.database.query(
      `update session.sessions set metadata = jsonb_build_object('note', repeat('x', 9000000)) where space_id = $1`,
      [own.id],
    );
    const sessions = (await own.owner.get('/agents/sessions?limit=100')).body.data as Answer[];
    expect(sessions).toHaveLength(4);
    expectNone(sessions, ['metadata']);
    const agent = await own.owner.post('/agents', { name: 'A', model: 'sim-chat', systemPrompt: 'You test.' });
    const job = {
      type: 'AGENT_INVOKE',
      agentId: agent.body.data.id,
      input: { inputs: { query: 'Hi' } },
      metadata: { n: 1 },
    };
    const { id } = (await own.owner.post('/agent-jobs', job)).body.data;
    const jobs = (await own.owner.get('/agent-jobs')).body.data as Answer[];
    expect(jobs).toMatchObject([{ id }]);
    expectNone(jobs, ['metadata']);
    expect((await own.owner.get(`/agent-jobs/${id}`)).body.data.metadata).toEqual({ n: 1 });
  });
});
