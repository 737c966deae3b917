import { randomUUID } from 'node:crypto';
import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { type Client, type Reply, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { AGENT, framesOf, contentsOf, STREAM } from './talk';

const platform = usePlatform();

const ASK = contentsOf(
  '@@tool ask_user {"kind":"single_choice","prompt":"Which?","options":["a","b"]}\n@@reply {{tool}}',
);

describe('a turn whose agent its user has lost', () => {
  let space: TestSpace;
  let owner: Client;
  let member: Client;

  beforeAll(async () => {
    space = await platform.newSpace();
    owner = space.owner;
    member = await space.member();
  });

  const made = async (more: object = {}): Promise<string> =>
    (await owner.post('/agents', { ...AGENT, tools: ['ask_user'], ...more })).body.data.id;
  const waiting = async (agentId: string): Promise<Reply['body']> => {
    const reply = await member.post(`/agents/${agentId}/chat`, { ...ASK, stream: false });
    expect(reply.body.data).toMatchObject({ status: 'WAITING_INPUT' });
    return reply.body.data;
  };
  const inbox = async (client: Client, query = ''): Promise<string[]> =>
    (await client.get(`/interactions?status=PENDING${query}`)).body.data.map(({ id }: { id: string }) => id);
  const statusOf = async (agentId: string, turnId: string): Promise<string> =>
    (await member.get(`/agents/${agentId}/turns/${turnId}`)).body.data.status;
  const cancelled = async (agentId: string, turnId: string): Promise<void> => {
    const answer = await member.post(`/agents/${agentId}/turns/${turnId}/cancel`, {});
    expect([answer.status, answer.body.data.status]).toEqual([200, 'CANCELLING']);
    await until(async () => (await statusOf(agentId, turnId)) === 'CANCELLED');
  };

  it('is not in the inbox when the agent was deleted, and can be cancelled', async () => {
    const [agentId, other] = [await made(), await made()];
    const open = await waiting(other);
    const paused = await waiting(agentId);
    expect(await inbox(member)).toEqual([paused.interaction.id, open.interaction.id]);
    expect((await owner.delete(`/agents/${agentId}`)).status).toBe(200);
    expect(await inbox(member)).toEqual([open.interaction.id]);
    // A page of which nothing is left is no end of the list.
    expect(await inbox(member, '&limit=1')).toEqual([open.interaction.id]);
    await cancelled(agentId, paused.turn_id);
    await cancelled(other, open.turn_id);
  });

  it('is not in the inbox of somebody who may not call the agent any more, and is theirs again with the access', async () => {
    const agentId = await made({ accessScope: 'RESTRICTED', allowedUserIds: [member.identity.userId] });
    const paused = await waiting(agentId);
    expect(await inbox(member)).toEqual([paused.interaction.id]);
    expect((await owner.put(`/agents/${agentId}`, { allowedUserIds: [] })).status).toBe(200);
    expect(await inbox(member)).toEqual([]);
    const refused = await member.post(`/agents/${agentId}/turns/${paused.turn_id}/cancel`, {});
    expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN']);
    const overOpenAi = await member.raw('POST', `/openai/v1/responses/resp_${paused.turn_id}/cancel`, {});
    expect([overOpenAi.status, overOpenAi.body.code]).toEqual([403, 'FORBIDDEN']);
    const run = `/langgraph/threads/${paused.session_id}/runs/${paused.turn_id}/cancel`;
    const overLangGraph = await member.raw('POST', run, {});
    expect([overLangGraph.status, overLangGraph.body.code]).toEqual([403, 'FORBIDDEN']);
    const params = { name: 'cancel_turn', arguments: { agentId, turnId: paused.turn_id } };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const overMcp = await member.raw('POST', '/mcp', call, {
      headers: { accept: 'application/json, text/event-stream' },
    });
    expect(JSON.stringify(overMcp.body)).toContain('FORBIDDEN: ');
    expect((await member.get(`/agents/${agentId}/turns/${paused.turn_id}`)).body.data.status).toBe('WAITING_INPUT');
    expect((await owner.put(`/agents/${agentId}`, { allowedUserIds: [member.identity.userId] })).status).toBe(200);
    await cancelled(agentId, paused.turn_id);
    // Its result is still returned.
    const all = (await member.get('/interactions?limit=1')).body.data;
    expect(all).toMatchObject([{ id: paused.interaction.id, status: 'CANCELLED' }]);
  });

  it('is not in the inbox of a key that may not call the agent', async () => {
    const agentId = await made();
    const reply = (await owner.post(`/agents/${agentId}/chat`, { ...ASK, stream: false })).body.data;
    expect(await inbox(await space.key({ limits: { agents: [agentId] } }))).toEqual([reply.interaction.id]);
    expect(await inbox(await space.key({ limits: { agents: [] } }))).toEqual([]);
  });

  it('stays in the inbox of an ADMIN who has to approve it and may not call the agent', async () => {
    const rule = { accessScope: 'RESTRICTED', allowedUserIds: [member.identity.userId] };
    const approvals = [{ tool: 'save_memory', by: 'ADMIN' }];
    const agentId = await made({ ...rule, approvals, tools: ['save_memory'] });
    const text = '@@tool save_memory {"text":"x"}\n@@reply {{tool}}';
    const reply = await member.post(`/agents/${agentId}/chat`, { ...contentsOf(text), stream: false });
    expect(reply.body.data).toMatchObject({ status: 'WAITING_INPUT' });
    expect(await inbox(owner, `&agentId=${agentId}`)).toEqual([reply.body.data.interaction.id]);
  });

  it('is followed to its end when the agent was deleted while it ran', async () => {
    const agentId = await made();
    const turnId = randomUUID();
    const running = member.stream(
      `/agents/${agentId}/chat`,
      { ...contentsOf('@@delay 100\n@@tokens 30'), turnId },
      { headers: STREAM },
    );
    const first = await running;
    expect((await owner.delete(`/agents/${agentId}`)).status).toBe(200);
    const path = `/agents/${agentId}/turns/${turnId}/stream`;
    const again = await member.stream(path, undefined);
    expect(again.status).toBe(200);
    const [output, repeated] = [framesOf(await first.all()), framesOf(await again.all())];
    const last = output.frames.at(-1)?.params.data;
    expect([repeated.frames.at(-1)?.params.data, repeated.text]).toEqual([last, output.text]);
    expect(output.frames.at(-1)?.params.data).toMatchObject({ event: PRODUCT_EVENTS.streamEnded, status: 'COMPLETED' });
    const response = await member.raw('GET', `/openai/v1/responses/resp_${turnId}`, undefined);
    expect([response.status, response.body.status]).toEqual([200, 'completed']);
    const stranger = await (await platform.newSpace()).owner.stream(path, undefined);
    expect(stranger.status).toBe(404);
  });
});
