import { SwitchyardClient, text, type TurnEventName } from '@switchyard/client';
import { type Client, type TestSpace, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
let space: TestSpace;
let member: Client;
let client: SwitchyardClient;
let agentId: string;

beforeAll(async () => {
  space = await platform.newSpace();
  member = await space.member();
  client = new SwitchyardClient({ baseUrl: platform.url, credential: member.credential });
  const agent = await client.agents.create({
    name: 'Helper',
    model: 'sim-chat',
    systemPrompt: 'Help.',
    tools: ['ask_user'],
  });
  agentId = agent.id;
});

const form = JSON.stringify({
  kind: 'single_choice',
  prompt: 'Which?',
  options: [
    { id: 'a', label: 'A' },
    { id: 'b', label: 'B' },
  ],
});

it('chats, and keeps the conversation in its session', async () => {
  const stream = await client.agents.chat(agentId, { contents: text('@@reply Hello you') });
  const names: TurnEventName[] = [];
  for await (const event of stream) names.push(event.name);
  expect(names[0]).toBe('session.started');
  expect(names).toContain('content.delta');
  expect(names.slice(-2)).toEqual(['response.completed', 'stream.ended']);
  expect(stream.summary).toMatchObject({ text: 'Hello you', status: 'COMPLETED' });
  const sessionId = stream.sessionId ?? '';
  const answer = await client.agents.ask(agentId, { contents: text('@@reply Again'), session_id: sessionId });
  expect(answer).toMatchObject({ answer: 'Again', session_id: sessionId });
  const roles: string[] = [];
  for await (const message of client.sessions.transcript(sessionId)) roles.push(message.role);
  expect(roles).toEqual(['user', 'assistant', 'user', 'assistant']);
  expect(await client.sessions.contextStatus(agentId, sessionId)).toMatchObject({ message_count: 4 });
});

it('keeps what the model thinks apart from what it says', async () => {
  const stream = await client.agents.chat(agentId, { contents: text('@@think Well now\n@@reply Yes') });
  const names: TurnEventName[] = [];
  for await (const event of stream) names.push(event.name);
  expect(names).toContain('reasoning.delta');
  expect(stream.summary).toMatchObject({ text: 'Yes', reasoning: 'Well now' });
  const [, answer] = (await client.sessions.messages(stream.sessionId ?? '')).items;
  expect(answer?.reasoning).toBe('Well now');
});

it('answers a question and goes on under the same count', async () => {
  const request = await client.agents.chat(agentId, { contents: text(`@@tool ask_user ${form}\n@@reply Thanks`) });
  const { interaction, sessionId } = await request.finished();
  expect(interaction).toMatchObject({ prompt: 'Which?', status: 'PENDING' });
  const pending = await client.turns.pendingInteractions(agentId, sessionId ?? '');
  expect(pending.items.map((item) => item.id)).toEqual([interaction?.id]);
  const stream = await request.answer({ selectedOptionIds: ['b'] });
  expect(await stream.text()).toBe('Thanks');
  expect(stream.lastSeq).toBeGreaterThan(request.lastSeq);
  // The same answer once more is no second run: the stream reads along.
  const address = { agentId, turnId: request.turnId };
  const twin = await client.turns.resume(
    address,
    { id: interaction?.id ?? '', sessionId: sessionId ?? '' },
    { selectedOptionIds: ['b'] },
    { after: request.lastSeq },
  );
  expect(await twin.text()).toBe('Thanks');
});

it('cancels a turn', async () => {
  const stream = await client.agents.chat(agentId, { contents: text('@@delay 100\n@@tokens 200') });
  for await (const event of stream) if (event.name === 'content.delta') await stream.cancel();
  expect(stream.summary.status).toBe('CANCELLED');
  expect((await client.turns.get({ agentId, turnId: stream.turnId })).status).toBe('CANCELLED');
});

it('reads a turn again from any frame', async () => {
  const stream = await client.agents.chat(agentId, { contents: text('@@reply one two three') });
  const frames: unknown[] = [];
  for await (const frame of stream.frames()) frames.push(frame);
  for (const after of [0, 3, frames.length - 1]) {
    const again: unknown[] = [];
    const replay = await client.turns.attach({ agentId, turnId: stream.turnId }, { after });
    for await (const frame of replay.frames()) again.push(frame);
    expect(again).toEqual(frames.slice(after));
  }
});

it('executes, at once and as a stream', async () => {
  const result = await client.agents.execute(agentId, { inputs: { query: '@@reply 42' } });
  expect(result).toMatchObject({ success: true, answer: '42', agent_id: agentId });
  const stream = await client.agents.executeStream(agentId, { inputs: { query: '@@reply 43' } });
  expect(await stream.text()).toBe('43');
  expect(stream.turnId).toMatch(/^[0-9a-f-]{36}$/);
});

it('speaks of refusals by their codes', async () => {
  const stranger = new SwitchyardClient({ baseUrl: platform.url, credential: 'x'.repeat(40) });
  await expect(stranger.agents.list()).rejects.toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
  await expect(client.agents.chat(agentId, { contents: [] })).rejects.toMatchObject({
    status: 400,
    code: 'VALIDATION_ERROR',
  });
});
