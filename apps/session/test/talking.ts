import type { Client } from '@switchyard/testing';

export async function makeAgent(client: Client, rest: object = {}): Promise<string> {
  const body = { name: 'Helper', model: 'sim-chat', systemPrompt: 'Help.', ...rest };
  const reply = await client.post('/agents', body);
  expect(reply).toMatchObject({ status: 201 });
  return reply.body.data.id;
}

/** One turn over HTTP; answers the session. */
export async function chat(client: Client, agentId: string, text: string, sessionId?: string): Promise<string> {
  const contents = [{ type: 'text', text }];
  const reply = await client.post(`/agents/${agentId}/chat`, { contents, session_id: sessionId, stream: false });
  expect(reply).toMatchObject({ status: 200, body: { data: { status: 'COMPLETED' } } });
  return reply.body.data.session_id;
}

export const paths = (agentId: string, sessionId: string) => ({
  status: `/agents/${agentId}/sessions/${sessionId}/context/status`,
  compact: `/agents/${agentId}/sessions/${sessionId}/context/compact`,
  pending: `/agents/${agentId}/sessions/${sessionId}/interactions/pending`,
});
