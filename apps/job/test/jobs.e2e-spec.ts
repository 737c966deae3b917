import { type TestSpace, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
let space: TestSpace;
let agentId: string;
beforeAll(async () => {
  space = await platform.newSpace();
  const agent = await space.owner.post('/agents', { name: 'A', model: 'sim-chat', systemPrompt: 'You help.', tools: ['ask_user'] });
  expect(agent).toMatchObject({ status: 201 });
  agentId = agent.body.data.id;
});

const ended = (id: string, phase: string, timeoutMs = 20_000) =>
  until(async () => {
    const { body } = await space.owner.get(`/agent-jobs/${id}`);
    if (body.data.phase !== phase) throw new Error(JSON.stringify(body.data));
    return body.data;
  }, { timeoutMs });

describe('jobs', () => {
  it('runs an agent in the background', async () => {
    const submitted = await space.owner.post('/agent-jobs', { type: 'AGENT_INVOKE', agentId, input: { inputs: { query: 'Hello' } } });
    expect(submitted).toMatchObject({ status: 202, body: { data: { phase: 'QUEUED', attempt: 0, progress: 0 } } });
    expect(await ended(submitted.body.data.id, 'SUCCEEDED')).toMatchObject({ progress: 100, attempt: 1, error: null, result: { answer: expect.stringContaining('Hello') } });
  });

  it('tries a failing runtime again, then gives up', async () => {
    const { body } = await space.owner.post('/agent-jobs', { type: 'AGENT_INVOKE', agentId, maxAttempts: 2, input: { inputs: { query: '@@error 500' } } });
    expect(await ended(body.data.id, 'FAILED')).toMatchObject({ attempt: 2, error: { code: 'RUNTIME_UNAVAILABLE' }, result: null });
  });
});
