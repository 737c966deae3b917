import { randomUUID } from 'node:crypto';
import { type Client, type Reply, type TestSpace, avoidMidnight, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const DAY_MS = 86_400_000;
let space: TestSpace;
beforeAll(async () => {
  space = await platform.newSpace();
});

const newAgent = async (): Promise<string> => {
  const agent = { name: 'Limited', model: 'sim-chat', systemPrompt: 'Answer.', tools: ['save_memory'] };
  const reply = await space.owner.post('/agents', agent);
  expect(reply.status).toBe(201);
  return reply.body.data.id as string;
};

describe('a limit of a key that is reached inside a turn', () => {
  // Its first model call uses the day up, its second one is refused.
  const TWO_CALLS = '@@usage 10 10\n@@tool save_memory {"text": "x"}\n@@reply done';
  const contents = [{ type: 'text', text: TWO_CALLS }];
  const TRY_AGAIN_AT = expect.stringMatching(/Try again at \d{4}-\d\d-\d\dT[\d:.]+Z\.$/) as string;
  const untilMidnight = (): number => (DAY_MS - (Date.now() % DAY_MS)) / 1000;
  const expectToWait = (reply: Reply): void => {
    expect([reply.status, reply.body.code]).toEqual([429, 'DAILY_LIMIT_EXCEEDED']);
    const seconds = Number(reply.headers['retry-after']);
    expect(Math.abs(seconds - untilMidnight())).toBeLessThan(30);
  };

  it.each<[string, (key: Client, agentId: string) => Promise<Reply>]>([
    ['a chat', (key, agentId) => key.post(`/agents/${agentId}/chat`, { contents, stream: false })],
    ['an execute', (key, agentId) => key.post(`/agents/${agentId}/execute`, { inputs: { query: TWO_CALLS } })],
    [
      'a chat completion',
      (key, model) =>
        key.raw('POST', '/openai/v1/chat/completions', { model, messages: [{ role: 'user', content: TWO_CALLS }] }),
    ],
    ['a response', (key, model) => key.raw('POST', '/openai/v1/responses', { model, input: TWO_CALLS })],
  ])('refuses %s with the time to wait', async (_, call) => {
    await avoidMidnight();
    const agentId = await newAgent();
    const key = await space.key({ limits: { dailyTokens: 15 } });
    expectToWait(await call(key, agentId));
  });

  it('refuses a tool of MCP with the time to wait, in words', async () => {
    await avoidMidnight();
    const agentId = await newAgent();
    const key = await space.key({ limits: { dailyTokens: 15 } });
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'call_agent', arguments: { agentId, text: TWO_CALLS } },
    };
    const headers = { accept: 'application/json, text/event-stream' };
    const reply = JSON.stringify((await key.raw('POST', '/mcp', message, { headers })).body);
    expect(reply).toMatch(/DAILY_LIMIT_EXCEEDED: .* Retry after \d+ s\./);
  });

  it('ends a run of AG-UI with the time at which to try again, in words', async () => {
    await avoidMidnight();
    const agentId = await newAgent();
    const key = await space.key({ limits: { dailyTokens: 15 } });
    const messages = [{ id: '1', role: 'user', content: TWO_CALLS }];
    const run = { threadId: randomUUID(), runId: randomUUID(), messages, tools: [], context: [] };
    const { frames } = await key.rawStream('POST', `/ag-ui/${agentId}`, run);
    let last: object = {};
    for await (const { data } of frames) last = data as object;
    expect(last).toMatchObject({ type: 'RUN_ERROR', code: 'DAILY_LIMIT_EXCEEDED', message: TRY_AGAIN_AT });
  });

  it('ends a run of LangGraph with the time at which to try again, in words', async () => {
    await avoidMidnight();
    const agentId = await newAgent();
    const key = await space.key({ limits: { dailyTokens: 15 } });
    const { thread_id: threadId } = (await key.raw('POST', '/langgraph/threads', {})).body;
    const params = { assistant_id: agentId, input: { messages: [{ type: 'human', content: TWO_CALLS }] } };
    const path = `/langgraph/threads/${threadId}`;
    expect((await key.raw('POST', `${path}/commands`, { id: 1, method: 'run.start', params })).body.type).toBe(
      'success',
    );
    const { frames } = await key.rawStream('POST', `${path}/stream/events`, { channels: ['lifecycle'] });
    let last: object = {};
    for await (const { data } of frames) {
      last = data.params.data as object;
      if ('error' in last) break;
    }
    expect(last).toMatchObject({ event: 'failed', error: TRY_AGAIN_AT });
  });

  it('refuses with the time to wait also when the same turn is asked for again', async () => {
    await avoidMidnight();
    const agentId = await newAgent();
    const key = await space.key({ limits: { dailyTokens: 15 } });
    const body = { contents, stream: false, turnId: randomUUID() };
    expectToWait(await key.post(`/agents/${agentId}/chat`, body));
    expectToWait(await key.post(`/agents/${agentId}/chat`, body));
  });
});
