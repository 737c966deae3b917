import { randomUUID } from 'node:crypto';
import { type Answer, type Client, raisedEvent, type TestSpace, usePlatform, watchPlatform } from '@switchyard/testing';
import { chat, makeAgent } from './talking';

const platform = usePlatform();
const QUESTION = { kind: 'single_choice', prompt: 'Which?', options: [{ id: 'a', label: 'Apple' }] };
const ASKING = `@@tool ask_user ${JSON.stringify(QUESTION)}\n@@reply done`;

let space: TestSpace;
beforeAll(async () => {
  space = await platform.newSpace();
  await watchPlatform(space, 'turn.waiting', 'turn.completed', 'interaction.answered');
});

const eventOf = async (event: string, agentId: string): Promise<Answer> =>
  (await raisedEvent(space, event, (payload) => payload.agentId === agentId)).payload;

async function accepted(reply: Promise<{ status: number; body: Answer }>, status = 200): Promise<Answer> {
  const { status: actual, body } = await reply;
  expect({ status: actual, body }).toMatchObject({ status });
  return body;
}

const newSession = async (agentId: string): Promise<string> =>
  (await accepted(space.owner.post('/agents/sessions', { agentId }), 201)).data.id;

async function runTask(agentId: string): Promise<void> {
  const inputs = { query: 'hello', session_id: await newSession(agentId) };
  const steps = [{ id: 'call', type: 'agent', with: { agentId, inputs } }];
  const task = await accepted(space.owner.post('/tasks', { name: 'Caller', steps }), 201);
  await accepted(space.owner.post(`/tasks/${task.data.id as string}/execute`, {}), 202);
}

async function runThread(agentId: string): Promise<void> {
  const { owner } = space;
  const made = await accepted(owner.raw('POST', '/langgraph/threads', { metadata: { graph_id: agentId } }));
  const input = { messages: [{ role: 'user', content: 'hello' }] };
  const command = { id: 1, method: 'run.start', params: { assistant_id: agentId, input } };
  await accepted(owner.raw('POST', `/langgraph/threads/${made.thread_id as string}/commands`, command));
}

async function runAgUi(agentId: string): Promise<void> {
  const messages = [{ id: 'm-1', role: 'user', content: 'hello' }];
  const run = { threadId: randomUUID(), runId: randomUUID(), messages, tools: [], context: [], state: {} };
  const stream = await space.owner.rawStream('POST', `/ag-ui/${agentId}`, { ...run, forwardedProps: {} });
  expect(stream.status).toBe(200);
  await stream.all();
}

async function callOverMcp(agentId: string): Promise<void> {
  const params = { name: 'call_agent', arguments: { agentId, text: 'hello' } };
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const headers = { accept: 'application/json, text/event-stream' };
  const stream = await space.owner.rawStream('POST', '/mcp', request, { headers });
  expect(stream.status).toBe(200);
  await stream.all();
}

const WAYS: Record<string, (agentId: string) => Promise<unknown>> = {
  chat: (agentId) => chat(space.owner, agentId, 'hello'),
  'a chat in a session': async (agentId) => chat(space.owner, agentId, 'hello', await newSession(agentId)),
  'an execute with a session': async (agentId) => {
    const inputs = { query: 'hello', session_id: await newSession(agentId) };
    return accepted(space.owner.post(`/agents/${agentId}/execute`, { inputs }));
  },
  'a response of OpenAI': (agentId) =>
    accepted(space.owner.raw('POST', '/openai/v1/responses', { model: agentId, input: 'hello' })),
  'a run of LangGraph': runThread,
  'a run of AG-UI': runAgUi,
  'a tool call of MCP': callOverMcp,
  'a step of a task': runTask,
  'a job with a session': async (agentId) => {
    const input = { inputs: { query: 'hello', session_id: await newSession(agentId) } };
    return accepted(space.owner.post('/agent-jobs', { type: 'AGENT_INVOKE', agentId, input }), 202);
  },
};

describe('the name of the agent in events of turns', () => {
  it.each(Object.keys(WAYS))('is there if the turn was started by %s', async (way) => {
    const name = `Agent of ${way}`;
    const agentId = await makeAgent(space.owner, { name });
    await WAYS[way]?.(agentId);
    expect(await eventOf('turn.completed', agentId)).toMatchObject({ kind: 'turn', agentId, name });
  });

  it('is the one of the start of the turn, also if the agent is renamed while it waits', async () => {
    const agentId = await makeAgent(space.owner, { name: 'Before', tools: ['ask_user'] });
    const turn = await say(space.owner, agentId, ASKING);
    expect(await eventOf('turn.waiting', agentId)).toMatchObject({ name: 'Before' });
    await accepted(space.owner.put(`/agents/${agentId}`, { name: 'After' }));
    await answer(space.owner, agentId, turn);
    expect(await eventOf('interaction.answered', agentId)).toMatchObject({ kind: 'interaction', name: 'Before' });
    expect(await eventOf('turn.completed', agentId)).toMatchObject({ name: 'Before' });
    await chat(space.owner, agentId, 'hello', turn.session_id);
    const isNext = (payload: Answer): boolean => payload.agentId === agentId && payload.turnId !== turn.turn_id;
    expect((await raisedEvent(space, 'turn.completed', isNext)).payload).toMatchObject({ name: 'After' });
  });
});

describe('the name of a turn without a session', () => {
  it('is its agent in the activity and in the tree of causes', async () => {
    const agentId = await makeAgent(space.owner, { name: 'Executed' });
    await accepted(space.owner.post(`/agents/${agentId}/execute`, { inputs: { query: 'hello' } }));
    const rows = (await accepted(space.owner.get('/activity?kind=turn&limit=100'))).data as Answer[];
    const [row] = rows.filter((each) => each.agentId === agentId);
    expect(row).toMatchObject({ sessionId: null, name: 'Executed' });
    const id = row?.id as string;
    const { data: tree } = await accepted(space.owner.get(`/activity/causes/turn/${id}`));
    const turns = (tree.nodes as Answer[]).filter(({ kind }) => kind === 'turn');
    expect(turns).toMatchObject([{ id, name: 'Executed' }]);
  });
});

const say = async (client: Client, agentId: string, words: string): Promise<Answer> => {
  const contents = [{ type: 'text', text: words }];
  return (await accepted(client.post(`/agents/${agentId}/chat`, { contents, turnId: randomUUID(), stream: false })))
    .data;
};

async function answer(client: Client, agentId: string, turn: Answer): Promise<void> {
  const body = {
    sessionId: turn.session_id,
    interactionId: turn.interaction.id,
    selectedOptionIds: ['a'],
    otherText: null,
  };
  const headers = { accept: 'text/event-stream', 'x-service-stream-protocol': 'stream-v3' };
  const path = `/agents/${agentId}/turns/${turn.turn_id as string}/resume`;
  const stream = await client.stream(path, body, { headers });
  expect(stream.status).toBe(200);
  await stream.all();
}
