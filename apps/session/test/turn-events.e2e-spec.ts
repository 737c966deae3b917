import { randomUUID } from 'node:crypto';
import {
  type Answer,
  type Client,
  platformEnvelopes,
  raisedEvent,
  type TestSpace,
  usePlatform,
  watchPlatform,
} from '@switchyard/testing';
import { makeAgent } from './talking';

const platform = usePlatform();
const SECRET_TEXT = 'a text that no event may carry';
const QUESTION = {
  kind: 'single_choice',
  prompt: SECRET_TEXT,
  options: [
    { id: 'a', label: SECRET_TEXT },
    { id: 'b', label: 'Pear' },
  ],
};
/** The one envelope of an event, which has no text of users. */
async function raised(space: TestSpace, event: string): Promise<Answer> {
  const envelope = await raisedEvent(space, event);
  expect(JSON.stringify(envelope)).not.toContain(SECRET_TEXT);
  return envelope;
}

const say = async (client: Client, agentId: string, text: string): Promise<Answer> =>
  (
    await client.post(`/agents/${agentId}/chat`, {
      contents: [{ type: 'text', text }],
      turnId: randomUUID(),
      stream: false,
    })
  ).body.data;

async function resume(client: Client, agentId: string, turn: Answer, selectedOptionIds: string[]): Promise<void> {
  const body = { sessionId: turn.session_id, interactionId: turn.interaction.id, selectedOptionIds, otherText: null };
  const headers = { accept: 'text/event-stream', 'x-service-stream-protocol': 'stream-v3' };
  const stream = await client.stream(`/agents/${agentId}/turns/${turn.turn_id as string}/resume`, body, { headers });
  expect(stream.status).toBe(200);
  await stream.all();
}

const question = `@@tool ask_user ${JSON.stringify(QUESTION)}\n@@reply ${SECRET_TEXT} {{tool}}`;

const factsOf = (space: TestSpace, agentId: string, turn: Answer): object => ({
  agentId,
  sessionId: turn.session_id,
  turnId: turn.turn_id,
  userId: space.owner.identity.userId,
  taskId: null,
  datasetId: null,
  name: 'Helper',
});

describe('events of turns', () => {
  it('turn.completed has ids and the status, one deeper than the turn, and nothing that was said', async () => {
    const space = await platform.newSpace();
    await watchPlatform(space, 'turn.completed');
    const agentId = await makeAgent(space.owner, { systemPrompt: SECRET_TEXT });
    const turn = await say(space.owner, agentId, SECRET_TEXT);
    const envelope = await raised(space, 'turn.completed');
    expect(envelope).toMatchObject({ source: 'system', depth: 1, causationId: null });
    expect(envelope.payload).toEqual({
      kind: 'turn',
      id: turn.turn_id,
      ...factsOf(space, agentId, turn),
      status: 'COMPLETED',
      previousStatus: 'RUNNING',
      actor: { type: 'platform', id: null },
      error: null,
      at: expect.any(String) as string,
    });
  });

  it('turn.failed has the code of the error', async () => {
    const space = await platform.newSpace();
    await watchPlatform(space, 'turn.failed');
    const agentId = await makeAgent(space.owner);
    await say(space.owner, agentId, `@@error 400 ${SECRET_TEXT}`);
    const { payload } = await raised(space, 'turn.failed');
    expect(payload).toMatchObject({ status: 'FAILED', error: { code: expect.any(String) as string } });
    expect(Object.keys(payload.error as object)).toEqual(['code']);
  });

  it('turn.cancelled names who cancelled it', async () => {
    const space = await platform.newSpace();
    await watchPlatform(space, 'turn.cancelled');
    const agentId = await makeAgent(space.owner, { tools: ['ask_user'] });
    const turn = await say(space.owner, agentId, question);
    expect((await space.owner.post(`/agents/${agentId}/turns/${turn.turn_id as string}/cancel`, {})).status).toBe(200);
    const { payload } = await raised(space, 'turn.cancelled');
    expect(payload).toMatchObject({
      ...factsOf(space, agentId, turn),
      status: 'CANCELLED',
      actor: { type: 'user', id: space.owner.identity.userId },
      error: null,
    });
  });

  it('turn.waiting and interaction.answered name the question, and who answered', async () => {
    const space = await platform.newSpace();
    await watchPlatform(space, 'turn.waiting', 'interaction.answered', 'approval.answered');
    const agentId = await makeAgent(space.owner, { tools: ['ask_user'] });
    const turn = await say(space.owner, agentId, question);
    const waiting = await raised(space, 'turn.waiting');
    expect(waiting.payload).toMatchObject({
      kind: 'turn',
      id: turn.turn_id,
      ...factsOf(space, agentId, turn),
      status: 'WAITING_INPUT',
      previousStatus: 'RUNNING',
      interactionId: turn.interaction.id,
      purpose: 'question',
      actor: { type: 'platform', id: null },
    });
    await resume(space.owner, agentId, turn, ['a']);
    const answered = await raised(space, 'interaction.answered');
    expect(answered).toMatchObject({ depth: 1 });
    expect(answered.payload).toMatchObject({
      kind: 'interaction',
      id: turn.interaction.id,
      interactionId: turn.interaction.id,
      ...factsOf(space, agentId, turn),
      status: 'ANSWERED',
      previousStatus: 'PENDING',
      actor: { type: 'user', id: space.owner.identity.userId },
    });
    expect((await platformEnvelopes(space.owner)).map(({ event }) => event)).not.toContain('approval.answered');
  });

  it('interaction.expired names no person', async () => {
    const space = await platform.newSpace();
    await watchPlatform(space, 'interaction.expired');
    const agentId = await makeAgent(space.owner, { tools: ['ask_user'] });
    const turn = await say(space.owner, agentId, question);
    await platform.database.query(`update session.interactions set expires_at = now() where id = $1`, [
      turn.interaction.id,
    ]);
    const { payload } = await raised(space, 'interaction.expired');
    expect(payload).toMatchObject({
      interactionId: turn.interaction.id,
      ...factsOf(space, agentId, turn),
      status: 'EXPIRED',
      actor: { type: 'platform', id: null },
    });
  });

  it('approval.answered shows to ADMIN alone, and interaction.answered to the person too', async () => {
    const space = await platform.newSpace();
    await watchPlatform(space, 'approval.answered', 'interaction.answered', 'turn.waiting');
    const [author, other] = [await space.member('MEMBER'), await space.member('MEMBER')];
    const fields = [{ name: 'title', type: 'string' }];
    const dataset = (await space.owner.post('/datasets', { name: 'orders', schema: { fields } })).body.data;
    const approvals = [{ tool: 'write_dataset' }];
    const agentId = await makeAgent(space.owner, { tools: ['write_dataset'], approvals });
    const insert = { datasetId: dataset.id, operation: 'insert', records: [{ title: SECRET_TEXT }] };
    const turn = await say(author, agentId, `@@tool write_dataset ${JSON.stringify(insert)}\n@@reply done`);
    expect((await raised(space, 'turn.waiting')).payload).toMatchObject({ purpose: 'approval' });
    await resume(author, agentId, turn, ['approve']);
    const { payload } = await raised(space, 'approval.answered');
    expect(payload).toMatchObject({
      kind: 'approval',
      id: turn.interaction.id,
      interactionId: turn.interaction.id,
      turnId: turn.turn_id,
      userId: author.identity.userId,
      actor: { type: 'user', id: author.identity.userId },
    });
    await raised(space, 'interaction.answered');
    const seen = async (client: Client): Promise<string[]> =>
      (await platformEnvelopes(client)).map(({ event }) => event as string).sort();
    expect(await seen(author)).toEqual(['interaction.answered', 'turn.waiting']);
    expect(await seen(other)).toEqual([]);
  });

  it('are of turns with a session, and write nothing without a subscription', async () => {
    const space = await platform.newSpace();
    await watchPlatform(space, 'turn.completed');
    const agentId = await makeAgent(space.owner);
    expect((await space.owner.post(`/agents/${agentId}/execute`, { inputs: { query: SECRET_TEXT } })).status).toBe(200);
    const turn = await say(space.owner, agentId, 'hello');
    expect((await raised(space, 'turn.completed')).payload.turnId).toBe(turn.turn_id);
    const quiet = await platform.newSpace();
    await say(quiet.owner, await makeAgent(quiet.owner), 'hello');
    const rows = await platform.database.query(
      `select 1 from session.outbox where ctx->>'spaceId' = $1::text and name = 'session.platform-change'
       union all select 1 from event_bus.emissions where space_id = $1::uuid`,
      [quiet.id],
    );
    expect(rows).toEqual([]);
  });
});
