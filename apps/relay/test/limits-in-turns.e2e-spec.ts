import { randomUUID } from 'node:crypto';
import { type Client, type Reply, type TestSpace, avoidMidnight, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
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
  const expectToWait = (reply: Reply): void => {
    expect([reply.status, reply.body.code]).toEqual([429, 'DAILY_LIMIT_EXCEEDED']);
    const seconds = Number(reply.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(86_400);
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

  it('refuses with the time to wait also when the same turn is asked for again', async () => {
    await avoidMidnight();
    const agentId = await newAgent();
    const key = await space.key({ limits: { dailyTokens: 15 } });
    const body = { contents, stream: false, turnId: randomUUID() };
    expectToWait(await key.post(`/agents/${agentId}/chat`, body));
    expectToWait(await key.post(`/agents/${agentId}/chat`, body));
  });
});
