import type { Client as McpClient } from '@modelcontextprotocol/client';
import { newId } from '@switchyard/kernel';
import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { callTool, connectMcp } from './support/mcp-client';

const platform = usePlatform();
let space: TestSpace;

beforeAll(async () => {
  space = await platform.newSpace();
});

const made = async (path: string, body: object): Promise<string> =>
  ((await space.owner.post(path, body)).body.data as { id: string }).id;

describe.each(['auto', 'legacy'] as const)('for a client of the %s era', (era) => {
  let mcp: McpClient;

  beforeAll(async () => {
    mcp = await connectMcp(space.owner, era);
  });
  afterAll(() => mcp.close());

  describe('the prompts of agents', () => {
    const get = async (agentId: string, args: Record<string, string> = {}): Promise<unknown> =>
      (await mcp.getPrompt({ name: `agent-${agentId}`, arguments: args })).messages[0]?.content;

    test('are what the agents would be told', async () => {
      const agentId = await made('/agents', {
        name: 'Templates',
        model: 'sim-chat',
        description: 'Fills in',
        systemPrompt: 'For {{who}}: {{list}} {{tone}}{{extra}} {{other}}',
        promptVariables: [
          { name: 'who', description: 'Whom it is for', required: true },
          { name: 'list' },
          { name: 'tone', default: { a: 1 } },
          { name: 'extra' },
        ],
      });
      const { prompts } = await mcp.listPrompts();
      expect(prompts.find(({ name }) => name === `agent-${agentId}`)).toEqual({
        name: `agent-${agentId}`,
        title: 'Templates',
        description: 'Fills in',
        arguments: [
          { name: 'who', description: 'Whom it is for', required: true },
          { name: 'list', required: false },
          { name: 'tone', required: false },
          { name: 'extra', required: false },
        ],
      });
      expect(await get(agentId, { who: '{{tone}}', list: '[1]' })).toEqual({
        type: 'text',
        text: 'For {{tone}}: [1] {"a":1} {{other}}',
      });
      await expect(get(agentId, { list: '' })).rejects.toMatchObject({
        code: -32_602,
        message: expect.stringContaining('VALIDATION_ERROR: arguments.who: ') as string,
      });
      await expect(get(agentId, { who: 'x', other: 'y' })).rejects.toMatchObject({
        message: expect.stringContaining('VALIDATION_ERROR: arguments.other: ') as string,
      });
    });

    test('are those of agents that the caller may call and that are templates, page by page', async () => {
      const own = await platform.newSpace();
      const member = await own.member('MEMBER');
      const agent = { model: 'sim-chat', systemPrompt: 'Serve {{company}}.' };
      const ids: string[] = [];
      for (let n = 0; n < 52; n += 1)
        ids.unshift((await own.owner.post('/agents', { ...agent, name: `A${n}` })).body.data.id);
      await own.owner.post('/agents', { ...agent, name: 'Plain', systemPrompt: 'No template.' });
      const secret = {
        ...agent,
        name: 'Secret',
        accessScope: 'RESTRICTED',
        allowedUserIds: [own.owner.identity.userId],
      };
      const { id: secretId } = (await own.owner.post('/agents', secret)).body.data as { id: string };
      const client = await connectMcp(member, era);
      const seen: string[] = [];
      for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
        const page = (await client.request({ method: 'prompts/list', params: cursor ? { cursor } : {} })) as {
          prompts: { name: string }[];
          nextCursor?: string;
        };
        seen.push(...page.prompts.map(({ name }) => name));
        cursor = page.nextCursor;
      }
      expect(seen).toEqual(ids.map((id) => `agent-${id}`));
      await expect(client.getPrompt({ name: `agent-${secretId}` })).rejects.toMatchObject({
        message: expect.stringContaining('FORBIDDEN: ') as string,
      });
      await client.close();
    });
  });

  describe('the list of resources', () => {
    test('goes on until the last dataset and the last conversation', async () => {
      const own = await platform.newSpace();
      const client = await connectMcp(own.owner, era);
      const fields = [{ name: 'a', type: 'string' }];
      for (let n = 0; n < 52; n += 1) await own.owner.post('/datasets', { name: `D${n}`, schema: { fields } });
      for (let n = 0; n < 3; n += 1) await own.owner.post('/agents/sessions', { title: `S${n}` });
      const names: string[] = [];
      const sizes: number[] = [];
      let cursor: string | undefined;
      do {
        const params = cursor === undefined ? {} : { cursor };
        const page = await client.request({ method: 'resources/list', params });
        names.push(...page.resources.map(({ name }) => name));
        sizes.push(page.resources.length);
        cursor = page.nextCursor;
      } while (cursor !== undefined && sizes.length < 9);
      expect(sizes).toEqual([50, 5]);
      expect(new Set(names).size).toBe(55);
      expect(names.slice(-3)).toEqual(['S2', 'S1', 'S0']);
      await client.close();
    });
  });

  describe('a key', () => {
    const twice = async (name: string, args: object, other: object): Promise<unknown[]> => {
      const idempotencyKey = newId();
      const first = await callTool(mcp, name, { ...args, idempotencyKey });
      expect(first.isError ?? false).toBe(false);
      expect((await callTool(mcp, name, { ...args, idempotencyKey })).structuredContent).toEqual(
        first.structuredContent,
      );
      expect(await callTool(mcp, name, { ...other, idempotencyKey })).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/^IDEMPOTENCY_CONFLICT: /) as string }],
      });
      return [first.structuredContent, (await callTool(mcp, name, args)).structuredContent];
    };

    test('submits a job once', async () => {
      const agentId = await made('/agents', { name: 'Worker', model: 'sim-chat', systemPrompt: 'x' });
      const job = (query: string): object => ({ type: 'AGENT_INVOKE', agentId, input: { inputs: { query } } });
      const [first, again] = await twice('submit_job', job('a'), job('b'));
      expect((again as { id: string }).id).not.toBe((first as { id: string }).id);
    });

    test('executes a task once', async () => {
      const steps = [{ id: 'a', type: 'transform', with: { x: 1 } }];
      const taskId = await made('/tasks', { name: 'T', type: 'MANUAL', steps });
      const [first] = await twice('execute_task', { taskId }, { taskId, inputs: { a: 1 } });
      expect((await space.owner.get(`/tasks/${taskId}/executions`)).body.data).toHaveLength(2);
      const id = (first as { id: string }).id;
      await until(async () => (await space.owner.get(`/tasks/runs/${id}`)).body.data.status === 'SUCCEEDED');
    });

    test('inserts records once', async () => {
      const datasetId = await made('/datasets', { name: newId(), schema: { fields: [{ name: 'a', type: 'string' }] } });
      const records = [{ a: 'x' }];
      await twice('insert_records', { datasetId, records }, { datasetId, records: [{ a: 'y' }] });
      expect((await callTool(mcp, 'count_records', { datasetId })).structuredContent).toEqual({ count: 2 });
    });

    test('that is none is refused', async () => {
      const args = { envelopeId: newId(), idempotencyKey: 'two\nlines' };
      expect(await callTool(mcp, 'replay_event', args)).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/^VALIDATION_ERROR: /) as string }],
      });
    });
  });

  test('usage is told in the rows of the API', async () => {
    const agentId = await made('/agents', { name: 'Spender', model: 'sim-chat', systemPrompt: 'x' });
    await callTool(mcp, 'execute_agent', { agentId, inputs: { query: 'Hello' } });
    const rows = async (args: object): Promise<Record<string, unknown>[]> =>
      ((await callTool(mcp, 'get_usage', args)).structuredContent as { items: Record<string, unknown>[] }).items;
    const row = await until(async () => (await rows({ groupBy: 'model' }))[0]);
    expect(Object.keys(row).sort()).toEqual(['calls', 'completionTokens', 'cost', 'model', 'promptTokens', 'tokens']);
    expect(row).toMatchObject({ model: 'sim-chat' });
    expect((await rows({}))[0]).toHaveProperty('day');
  });
});

test('the list of prompts is found without a look into agents that are none', async () => {
  const own = await platform.newSpace();
  await platform.database.query(
    `insert into agent.agents (space_id, id, name, agent_type, access_scope, body, version)
     select $1, gen_random_uuid(), 'Plain', 'BASIC', 'SPACE',
            jsonb_build_object('systemPrompt', repeat('No template. ', 10000), 'promptVariables', '[]'::jsonb), 1
       from generate_series(1, 3000)`,
    [own.id],
  );
  await platform.database.query('analyze agent.agents');
  const { id } = (await own.owner.post('/agents', { name: 'T', model: 'sim-chat', systemPrompt: 'For {{who}}' })).body
    .data as { id: string };
  const scans = async (): Promise<number> => {
    const [row] = await platform.database.query<{ scans: string }>(
      `select idx_scan as scans from pg_stat_user_indexes where indexrelname = 'agents_prompts'`,
    );
    return Number(row?.scans);
  };
  const before = await scans();
  const client = await connectMcp(own.owner, 'auto');
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual([`agent-${id}`]);
  await client.close();
  // A session counts what it has read when it is idle.
  await until(async () => (await scans()) > before);
  await platform.database.query('delete from agent.agents where space_id = $1', [own.id]);
});
