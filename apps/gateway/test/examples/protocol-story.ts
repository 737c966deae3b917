import { randomUUID } from 'node:crypto';
import { until } from '@switchyard/testing';
import { type AgentStoryContext, dataOf, type StoryContext } from './story-context';

export async function otherProtocols({ space, recorder }: StoryContext, agentId: string): Promise<void> {
  const { owner } = space;
  const messages = [{ role: 'user', content: '@@reply How can I help you?' }];
  await recorder.call(owner, 'POST /openai/v1/chat/completions', {}, { model: agentId, messages });
  await recorder.call(owner, 'GET /openai/v1/models');
  await recorder.call(owner, 'GET /openai/v1/models/{model}', { model: agentId });
  const made = await recorder.call(owner, 'POST /openai/v1/responses', {}, { model: agentId, input: 'Hello' });
  const responseId = (made.body as unknown as { id: string }).id;
  await recorder.call(owner, 'GET /openai/v1/responses/{responseId}', { responseId });
  await recorder.call(owner, 'GET /openai/v1/responses/{responseId}/input_items', { responseId });
  await recorder.call(owner, 'POST /openai/v1/responses/{responseId}/cancel', { responseId });
  await recorder.call(owner, 'GET /models/v1/{path}', { path: 'models' });
  await recorder.call(owner, 'POST /models/v1/{path}', { path: 'chat/completions' }, { model: 'sim-chat', messages });
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  await recorder.call(owner, 'POST /mcp', {}, ping);
  const run = {
    threadId: crypto.randomUUID(),
    runId: crypto.randomUUID(),
    messages: [{ id: 'm-1', role: 'user', content: 'Hello' }],
    tools: [],
    context: [],
    state: {},
    forwardedProps: {},
  };
  await recorder.stream(owner, 'POST /ag-ui/{agentId}', { agentId }, run);
  await langGraph({ owner, recorder, agentId });
}

async function langGraph({ owner, recorder, agentId }: AgentStoryContext): Promise<void> {
  await recorder.call(owner, 'POST /langgraph/assistants/search', {}, { limit: 10 });
  await recorder.call(owner, 'GET /langgraph/assistants/{assistantId}', { assistantId: agentId });
  const made = await recorder.call(owner, 'POST /langgraph/threads', {}, { metadata: { graph_id: agentId } });
  const threadId = (made.body as unknown as { thread_id: string }).thread_id;
  await recorder.call(owner, 'GET /langgraph/threads/{threadId}', { threadId });
  const command = {
    id: 1,
    method: 'run.start',
    params: { assistant_id: agentId, input: { messages: [{ role: 'user', content: 'Hello' }] } },
  };
  const started = await recorder.call(owner, 'POST /langgraph/threads/{threadId}/commands', { threadId }, command);
  const { result } = started.body as unknown as { result?: { run_id?: string } };
  const runId = result?.run_id ?? '';
  await recorder.call(owner, 'GET /langgraph/threads/{threadId}/state', { threadId });
  await recorder.stream(
    owner,
    'POST /langgraph/threads/{threadId}/stream/events',
    { threadId },
    { channels: ['messages'] },
    3,
  );
  await recorder.call(owner, 'POST /langgraph/threads/{threadId}/history', { threadId }, { limit: 10 });
  await recorder.call(owner, 'POST /langgraph/threads/{threadId}/runs/{runId}/cancel', { threadId, runId });
}

export async function operators({ platform, space, ada, operator, recorder }: StoryContext): Promise<void> {
  const of = { spaceId: space.id };
  await recorder.call(operator, 'GET /api/operator/spaces');
  await recorder.call(operator, 'GET /api/operator/spaces/{spaceId}', of);
  const owner = { email: `grace-${space.id}@example.com` };
  await recorder.call(operator, 'POST /api/operator/spaces', {}, { name: 'Research', owner });
  await recorder.call(operator, 'PATCH /api/operator/spaces/{spaceId}', of, { ceilings: { agents: 50 } });
  await recorder.call(operator, 'POST /api/operator/spaces/{spaceId}/credits', of, {
    tokens: 500_000,
    note: 'Invoice 17',
  });
  await recorder.call(operator, 'POST /api/operator/spaces/{spaceId}/suspend', of, { reason: 'Payment is overdue' });
  await recorder.call(operator, 'POST /api/operator/spaces/{spaceId}/resume', of, {});
  await recorder.call(operator, 'GET /api/operator/top', {}, undefined, '?by=turns');
  await recorder.call(operator, 'GET /api/operator/users');
  await recorder.call(operator, 'GET /api/operator/operators');
  await recorder.call(operator, 'GET /api/operator/events');
  await deadLetters({ platform, space, operator, recorder });
  await recorder.call(operator, 'GET /api/operator/dead-letters');
  await poisoned({ platform, space, operator, recorder });
  const user = { userId: ada.identity.userId ?? '' };
  await recorder.call(operator, 'GET /api/operator/users/{userId}', user);
  await recorder.call(operator, 'POST /api/operator/users/{userId}/grant', user, {});
  await recorder.call(operator, 'POST /api/operator/users/{userId}/revoke', user, {});
  const reset = await recorder.call(operator, 'POST /api/operator/users/{userId}/reset-password', user, {});
  const { token } = dataOf(reset);
  await recorder.call(
    space.owner.as(null),
    'POST /api/auth/password/reset',
    {},
    { token, password: 'a new long password' },
  );
  await recorder.call(operator, 'POST /api/operator/users/{userId}/disable', user, {});
  await recorder.call(operator, 'POST /api/operator/users/{userId}/enable', user, {});
  const key = dataOf(
    await recorder.call(operator, 'POST /api/operator/keys', {}, { name: 'monitoring', scopes: ['operator:read'] }),
  );
  const keyId = key['id'] ?? '';
  await recorder.call(operator, 'GET /api/operator/keys');
  await recorder.call(operator, 'POST /api/operator/keys/{keyId}/rotate', { keyId }, { graceSeconds: 3600 });
  await recorder.call(operator, 'POST /api/operator/keys/{keyId}/revoke', { keyId }, {});
  await recorder.call(operator, 'POST /api/spaces', {}, { name: 'Research' });
}

type LostWorkStory = Pick<StoryContext, 'platform' | 'space' | 'operator' | 'recorder'>;

/** Letters of a consumer that no service has: requeued ones stay until they are discarded. */
async function deadLetters({ platform, space, operator, recorder }: LostWorkStory): Promise<void> {
  const id = randomUUID();
  await platform.database.query(
    `insert into dataset.dead_letter (consumer, message_id, name, body, attempts, error, space_id)
     values ('without-handler', $1, 'task.deleted', '{}', 8, 'TIMEOUT: no answer', $2)`,
    [id, space.id],
  );
  await recorder.call(operator, 'POST /api/operator/dead-letters/{id}/requeue', { id });
  const reason = { reason: 'The task no longer exists' };
  await recorder.call(operator, 'POST /api/operator/dead-letters/{id}/discard', { id }, reason);
}

/** An execution that looks as if it had ended two processes. */
async function poisoned({ platform, space, operator, recorder }: LostWorkStory): Promise<void> {
  const { owner } = space;
  const task = dataOf(await owner.post('/tasks', { name: 'Big', steps: [{ id: 'a', type: 'transform', with: {} }] }));
  const id = dataOf(await owner.post(`/tasks/${task['id'] ?? ''}/execute`, {}))['id'] ?? '';
  await until(async () => dataOf(await owner.get(`/tasks/runs/${id}`))['status'] === 'SUCCEEDED');
  const error = { code: 'RUNTIME_UNAVAILABLE', message: 'The process ended twice.' };
  await platform.database.query(`update task.executions set status = 'FAILED', error = $2 where id = $1`, [
    id,
    JSON.stringify(error),
  ]);
  await platform.database.query(
    `insert into task.lost_work (kind, id, space_id, losses, given_up_at) values ('execution', $1, $2, 2, clock_timestamp())`,
    [id, space.id],
  );
  await recorder.call(operator, 'GET /api/operator/poisoned');
  await recorder.call(operator, 'POST /api/operator/poisoned/{id}/retry', { id });
}
