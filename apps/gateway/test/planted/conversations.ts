import { randomUUID } from 'node:crypto';
import { until } from '@switchyard/testing';
import { contentsOf, type Maker } from './maker';

const QUESTION = { kind: 'single_choice', prompt: 'Which?', options: [{ id: 'a', label: 'A' }] };
const REMEMBER = `@@think hm\n@@tool save_memory ${JSON.stringify({ text: 'likes tea' })}\n@@reply noted`;
const TURNS_BEFORE_COMPACTION = 6;

/** Turns in each state, with messages of each kind. */
export async function conversations(maker: Maker): Promise<Record<'agentId' | 'sessionId' | 'turnId', string>> {
  const agent = { name: 'A', model: 'sim-chat', systemPrompt: 'You help.', metadata: { a: 1 } };
  const localTools = [{ name: 'read_clock', description: 'd', parameters: { type: 'object' } }];
  const tools = ['ask_user', 'save_memory'];
  const { id: agentId } = await maker.create('/agents', { ...agent, tools, localTools });
  const { session_id: sessionId, turn_id: turnId } = await maker.chat(agentId, 'hello');
  const inSession = { session_id: sessionId };
  await maker.chat(agentId, REMEMBER);
  for (let count = 0; count < TURNS_BEFORE_COMPACTION; count += 1) await maker.chat(agentId, '@@tokens 40', inSession);
  await maker.create(`/agents/${agentId}/sessions/${sessionId as string}/context/compact`, {});
  await answeredQuestion(maker, agentId);
  await maker.chat(agentId, `@@tool ask_user ${JSON.stringify(QUESTION)}`, inSession);
  await maker.owner.post(`/agents/${agentId}/chat`, {
    stream: false,
    turnId: randomUUID(),
    contents: contentsOf('@@error 400 no'),
  });
  await cancelledTurn(maker, agentId);
  await unansweredTool(maker, agentId);
  const approvals = [{ tool: 'save_memory', by: 'ADMIN' }];
  const approving = await maker.create('/agents', { ...agent, tools: ['save_memory'], approvals });
  await maker.chat(approving.id, REMEMBER);
  return { agentId, sessionId, turnId };
}

async function answeredQuestion(maker: Maker, agentId: string): Promise<void> {
  const { session_id: sessionId, turn_id: turnId } = await maker.chat(
    agentId,
    `@@tool ask_user ${JSON.stringify(QUESTION)}\n@@reply good`,
  );
  const pending = `/agents/${agentId}/sessions/${sessionId as string}/interactions/pending`;
  const [{ id: interactionId }] = (await maker.owner.get(pending)).body.data;
  const answer = { sessionId, interactionId, selectedOptionIds: ['a'], otherText: null };
  const frames = await maker.stream(`/agents/${agentId}/turns/${turnId as string}/resume`, answer);
  await frames.return(undefined);
}

async function cancelledTurn(maker: Maker, agentId: string): Promise<void> {
  const turnId = randomUUID();
  const session = await maker.create('/agents/sessions', { agentId, title: 'cancelled' });
  const body = { session_id: session.id, turnId, contents: contentsOf('@@delay 30000\n@@reply late') };
  const frames = await maker.stream(`/agents/${agentId}/chat`, body);
  await frames.next();
  await maker.create(`/agents/${agentId}/turns/${turnId}/cancel`, { sessionId: session.id });
  await frames.return(undefined);
}

/** A call that its host never answers. */
async function unansweredTool(maker: Maker, agentId: string): Promise<void> {
  const body = { turnId: randomUUID(), contents: contentsOf('@@tool read_clock {}\n@@reply late') };
  const frames = await maker.stream(`/agents/${agentId}/chat`, body);
  const { database } = maker.platform;
  await until(async () => {
    const sql = 'select 1 from session.tool_results where space_id = $1';
    return (await database.query(sql, [maker.space.id])).length > 0;
  });
  await frames.return(undefined);
}
