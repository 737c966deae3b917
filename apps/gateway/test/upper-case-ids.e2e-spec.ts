import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const STREAM = { accept: 'text/event-stream', 'x-service-stream-protocol': 'stream-v3' };

describe('an id in upper case', () => {
  let space: TestSpace;
  let owner: Client;
  let agentId: string;

  beforeAll(async () => {
    space = await platform.newSpace();
    ({ owner } = space);
    agentId = await agent({ tools: ['ask_user'] });
  });

  const agent = async (more: object = {}): Promise<string> => {
    const made = await owner.post('/agents', { name: 'A', model: 'sim-chat', systemPrompt: 'Be brief.', ...more });
    return made.body.data.id as string;
  };
  const bodyOf = (text: string, more: object = {}): object => ({
    contents: [{ type: 'text', text }],
    stream: false,
    ...more,
  });

  it('names the member that may use an agent', async () => {
    const member = await space.member();
    const userId = member.identity.userId!;
    const restricted = await agent({ accessScope: 'RESTRICTED', allowedUserIds: [userId.toUpperCase()] });
    expect((await owner.get(`/agents/${restricted}`)).body.data.allowedUserIds).toEqual([userId]);
    expect((await member.post(`/agents/${restricted}/chat`, bodyOf('hello'))).status).toBe(200);
  });

  it('names the agents of a key', async () => {
    const key = await space.key({ limits: { agents: [agentId.toUpperCase()] } });
    expect((await key.post(`/agents/${agentId}/chat`, bodyOf('hello'))).status).toBe(200);
  });

  it('finds the session of a turn that waits', async () => {
    const form = { kind: 'single_choice', prompt: 'Which?', options: [{ id: 'a', label: 'A' }] };
    const text = `@@tool ask_user ${JSON.stringify(form)}\n@@reply done`;
    const request = (await owner.post(`/agents/${agentId}/chat`, bodyOf(text))).body.data;
    const interactionId = request.interaction.id as string;
    const path = `/agents/${agentId}/turns/${(request.turn_id as string).toUpperCase()}`;
    const answer = {
      sessionId: (request.session_id as string).toUpperCase(),
      interactionId: interactionId.toUpperCase(),
      selectedOptionIds: ['a'],
    };
    const resumed = await owner.stream(`${path}/resume`, answer, { headers: STREAM });
    expect(JSON.stringify(await resumed.all())).toContain('"delta":"done"');
  });

  it('stays the dataset whose writes are emitted', async () => {
    const fields = [{ name: 'n', type: 'integer' }];
    const dataset = (await owner.post('/datasets', { name: 'D', schema: { fields } })).body.data.id as string;
    const manifest = (id: string, version: string): object => ({
      manifest: {
        identifier: 'upper-case',
        name: 'Upper case',
        version,
        events: [{ name: 'row', schema: {}, emitOn: { dataset: id, operations: ['insert'] } }],
      },
    });
    const made = await owner.post('/applications', manifest(dataset, '1.0.0'));
    const put = await owner.put(`/applications/${made.body.data.id}`, manifest(dataset.toUpperCase(), '1.0.1'));
    expect([made.status, put.status]).toEqual([201, 200]);
    expect((await owner.post(`/datasets/${dataset}/data/insert`, { records: [{ n: 1 }] })).status).toBe(200);
    await until(async () => {
      const envelopes = (await owner.get('/events/envelopes')).body.data as { event: string }[];
      return envelopes.some(({ event }) => event === 'row');
    });
  });

  it('names the task of a subscription', async () => {
    const steps = [{ id: 'a', type: 'transform', with: { x: 1 } }];
    const task = (await owner.post('/tasks', { name: 'T', type: 'EVENT', steps })).body.data.id as string;
    const events = (await owner.get('/events/registered')).body.data as { id: string }[];
    const made = await owner.post('/events/subscriptions', { eventId: events[0]!.id, taskId: task.toUpperCase() });
    expect([made.status, made.body.data?.taskId]).toEqual([201, task]);
  });

  it('is the same route for an idempotency key', async () => {
    const fields = [{ name: 'n', type: 'integer' }];
    const dataset = (await owner.post('/datasets', { name: 'D', schema: { fields } })).body.data.id as string;
    const headers = { 'idempotency-key': 'one-insert' };
    const insert = (id: string) => owner.post(`/datasets/${id}/data/insert`, { records: [{ n: 1 }] }, { headers });
    const [first, second] = [await insert(dataset), await insert(dataset.toUpperCase())];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.data).toEqual(first.body.data);
    expect((await owner.get(`/datasets/${dataset}`)).body.data.recordCount).toBe(1);
  });
});
