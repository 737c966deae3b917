import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const STREAM = { accept: 'text/event-stream', 'x-service-stream-protocol': 'stream-v3' };
const ASK =
  '@@tool ask_user {"kind":"single_choice","prompt":"Which?","options":[{"id":"a","label":"A"},{"id":"b","label":"B"}]}\n@@reply chosen {{tool}}';

interface PendingRow {
  id: string;
  turnId: string;
  sessionId: string;
  status: string;
}

const decide = async (space: TestSpace, verb: 'suspend' | 'resume'): Promise<void> => {
  const body = verb === 'suspend' ? { reason: 'a test' } : {};
  expect((await space.operator.post(`/operator/spaces/${space.id}/${verb}`, body)).status).toBe(200);
};
const questionOf = async (space: TestSpace): Promise<PendingRow | undefined> =>
  (
    await platform.database.query<PendingRow>(
      `select id, turn_id as "turnId", session_id as "sessionId", status from session.interactions where space_id = $1`,
      [space.id],
    )
  )[0];

const ask = async (client: Client): Promise<string> => {
  const body = { name: 'Asks', model: 'sim-chat', systemPrompt: 'You ask.', tools: ['ask_user'] };
  const agentId = (await client.post('/agents', body)).body.data.id as string;
  const contents = [{ type: 'text', text: ASK }];
  const stream = await client.stream(`/agents/${agentId}/chat`, { contents }, { headers: STREAM });
  await stream.all();
  return agentId;
};

describe('while a Space is suspended', () => {
  it('no question of it expires, and its user answers when it is resumed', async () => {
    const [space, other] = [await platform.newSpace(), await platform.newSpace()];
    const [agentId] = [await ask(space.owner), await ask(other.owner)];
    await decide(space, 'suspend');
    const moved = async (): Promise<boolean> =>
      (
        await platform.database.query(
          `update session.stopped_clocks set since = since - interval '1 hour' where space_id = $1 returning 1`,
          [space.id],
        )
      ).length === 1;
    await until(moved);
    await platform.database.query(
      `update session.interactions set expires_at = clock_timestamp() - interval '1 minute' where space_id = any($1)`,
      [[space.id, other.id]],
    );
    await until(async () => (await questionOf(other))?.status === 'EXPIRED');
    const question = await questionOf(space);
    expect(question?.status).toBe('PENDING');
    await decide(space, 'resume');
    const resumed = await space.owner.stream(
      `/agents/${agentId}/turns/${question?.turnId}/resume`,
      { sessionId: question?.sessionId, interactionId: question?.id, selectedOptionIds: ['b'], otherText: null },
      { headers: STREAM },
    );
    expect(resumed.status).toBe(200);
    await resumed.all();
    expect((await questionOf(space))?.status).toBe('ANSWERED');
  });
});
