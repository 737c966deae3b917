import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { type AgentStoryContext, dataOf, type StoryContext } from './story-context';

/** The last line is a script for the model simulator. */
const PROMPT = 'You answer questions about our products.\n@@@reply The clamp lamp fits a small desk best.';

export async function agents({ space, recorder }: StoryContext): Promise<string> {
  const { owner } = space;
  const agent = { name: 'Guide', model: 'sim-chat', systemPrompt: PROMPT };
  const created = dataOf(
    await recorder.call(
      owner,
      'POST /api/agents',
      {},
      { ...agent, description: 'Answers customers', tools: ['ask_user'] },
    ),
  );
  const agentId = created['id'] ?? '';
  await recorder.call(owner, 'GET /api/agents');
  await recorder.call(owner, 'GET /api/agents/system-agents');
  await recorder.call(owner, 'GET /api/agents/{agentId}', { agentId });
  await recorder.call(owner, 'PUT /api/agents/{agentId}', { agentId }, { settings: { temperature: 0.2 } });
  await recorder.call(owner, 'GET /api/agents/{agentId}/versions', { agentId });
  await recorder.call(owner, 'GET /api/agents/{agentId}/versions/{version}', { agentId, version: '1' });
  await recorder.call(owner, 'POST /api/agents/{agentId}/versions/{version}/restore', { agentId, version: '2' });
  await recorder.call(owner, 'GET /api/agents/{agentId}/mcp/tools', { agentId });
  await recorder.call(owner, 'POST /api/agents/{agentId}/mcp/tools/approve', { agentId }, {});
  const refund = { tool: 'refund', arguments: { order: 'o-17', amount: 120 } };
  await recorder.call(owner, 'POST /api/agents/{agentId}/approvals/check', { agentId }, refund);
  return agentId;
}

const text = (message: string): object => ({ contents: [{ type: 'text', text: message }] });

export async function turns({ space, recorder }: StoryContext, agentId: string): Promise<string> {
  const { owner } = space;
  const session = dataOf(
    await recorder.call(owner, 'POST /api/agents/sessions', {}, { agentId, title: 'First questions' }),
  );
  const sessionId = session['id'] ?? '';
  const chat = { ...text('Which lamp fits a small desk?'), session_id: sessionId, stream: false };
  const { turn_id: turnId = '' } = dataOf(
    await recorder.call(owner, 'POST /api/agents/{agentId}/chat', { agentId }, chat),
  );
  await recorder.stream(owner, 'POST /api/agents/{agentId}/chat', { agentId }, text('Thank you.'));
  const inputs = { query: 'Name the three lightest lamps.' };
  await recorder.call(owner, 'POST /api/agents/{agentId}/execute', { agentId }, { inputs });
  await recorder.call(owner, 'GET /api/agents/{agentId}/turns/{turnId}', { agentId, turnId });
  await recorder.stream(owner, 'GET /api/agents/{agentId}/turns/{turnId}/stream', { agentId, turnId });
  await recorder.call(owner, 'POST /api/agents/{agentId}/turns/{turnId}/cancel', { agentId, turnId }, { sessionId });
  await questions({ owner, recorder, agentId });
  await localTools({ owner, recorder, agentId });
  await recorder.call(owner, 'GET /api/agents/{agentId}/latency', { agentId });
  return sessionId;
}

async function questions({ owner, recorder, agentId }: AgentStoryContext): Promise<void> {
  const options = [
    { id: 'desk', label: 'A desk lamp' },
    { id: 'floor', label: 'A floor lamp' },
  ];
  const form = { kind: 'single_choice', prompt: 'Which kind?', options };
  const script = `@@tool ask_user ${JSON.stringify(form)}\n@@reply A good choice.`;
  const { session_id: sessionId = '', turn_id: turnId = '' } = dataOf(
    await owner.post(`/agents/${agentId}/chat`, { ...text(script), stream: false }),
  );
  const pending = 'GET /api/agents/{agentId}/sessions/{sessionId}/interactions/pending';
  const waiting = await recorder.call(owner, pending, { agentId, sessionId });
  const [interaction] = (waiting.body as unknown as { data: { id: string }[] }).data;
  await recorder.call(owner, 'GET /api/interactions');
  const answer = { sessionId, interactionId: interaction?.id, selectedOptionIds: ['desk'], otherText: null };
  await recorder.stream(owner, 'POST /api/agents/{agentId}/turns/{turnId}/resume', { agentId, turnId }, answer);
}

async function localTools({ owner, recorder, agentId }: AgentStoryContext): Promise<void> {
  const localTool = { name: 'read_clock', description: 'The time of day.', parameters: { type: 'object' } };
  const body = { ...text('@@tool read_clock {}\n@@reply It is {{tool}}'), localTools: [localTool] };
  const headers = { 'x-service-stream-protocol': 'stream-v3' };
  const { frames } = await owner.stream(`/agents/${agentId}/chat`, body, { headers });
  let started: { turnId?: string; sessionId?: string } = {};
  for await (const frame of frames) {
    const { params } = frame.data as unknown as { params: { data: Record<string, string> } };
    const { event, turn_id: turnId, session_id: sessionId, call_id: callId } = params.data;
    if (event === PRODUCT_EVENTS.sessionStarted) started = { turnId, sessionId };
    if (event !== PRODUCT_EVENTS.localToolCall) continue;
    const path = 'POST /api/agents/{agentId}/turns/{turnId}/tool-results';
    const result = { sessionId: started.sessionId, callId, result: '12:00' };
    await recorder.call(owner, path, { agentId, turnId: started.turnId ?? '' }, result);
  }
}

export async function sessions({ space, recorder }: StoryContext, agentId: string, sessionId: string): Promise<void> {
  const { owner } = space;
  const inSession = { agentId, sessionId };
  await recorder.call(owner, 'GET /api/agents/sessions');
  await recorder.call(owner, 'GET /api/agents/sessions/{sessionId}', { sessionId });
  await recorder.call(owner, 'PATCH /api/agents/sessions/{sessionId}', { sessionId }, { title: 'Lamps' });
  await recorder.call(owner, 'GET /api/agents/sessions/{sessionId}/messages', { sessionId });
  await recorder.call(owner, 'POST /api/agents/sessions/{sessionId}/fork', { sessionId }, {});
  const context = '/api/agents/{agentId}/sessions/{sessionId}/context';
  await recorder.call(owner, `POST ${context}/status`, inSession, {});
  for (let count = 0; count < 6; count += 1)
    await owner.post(`/agents/${agentId}/chat`, { ...text('@@tokens 40'), session_id: sessionId, stream: false });
  await recorder.call(owner, `POST ${context}/compact`, inSession, {});
  const remember = { tools: ['save_memory'] };
  await owner.put(`/agents/${agentId}`, remember);
  for (const memory of ['Prefers desk lamps.', 'Lives in Bonn.', 'Likes green.'])
    await owner.post(`/agents/${agentId}/chat`, {
      ...text(`@@tool save_memory ${JSON.stringify({ text: memory })}\n@@reply Noted.`),
      stream: false,
    });
  const listed = await recorder.call(owner, 'GET /api/agents/{agentId}/memories', { agentId });
  const [memory] = (listed.body as unknown as { data: { id: string }[] }).data;
  const ofMemory = { agentId, memoryId: memory?.id ?? '' };
  await recorder.call(owner, 'PATCH /api/agents/{agentId}/memories/{memoryId}', ofMemory, { text: 'Likes blue.' });
  await recorder.call(owner, 'DELETE /api/agents/{agentId}/memories/{memoryId}', ofMemory);
  await recorder.call(owner, 'DELETE /api/agents/{agentId}/memories', { agentId });
}
