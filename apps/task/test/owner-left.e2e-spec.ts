import { type Answer, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { TaskActions, transform } from './task-actions';

const platform = usePlatform();
const QUESTION = { kind: 'single_choice', prompt: 'Which?', options: [{ id: 'a', label: 'A' }] };

/** An execution of a task of a member, whose turn waits for that member. */
async function waiting(space: TestSpace) {
  const member = await space.member();
  const agent = { name: 'Asks', model: 'sim-chat', systemPrompt: 'Ask.', tools: ['ask_user'] };
  const agentId = (await member.post('/agents', agent)).body.data.id as string;
  const sessionId = (await member.post('/agents/sessions', { agentId })).body.data.id as string;
  const inputs = { session_id: sessionId, query: `@@tool ask_user ${JSON.stringify(QUESTION)}\n@@reply done` };
  const tasks = new TaskActions(member);
  const task = await tasks.create({ steps: [{ id: 'ask', type: 'agent', with: { agentId, inputs } }] });
  const executionId = await tasks.start(task.id as string);
  const turn = await until(async () => {
    const [interaction] = (await member.get('/interactions?status=PENDING')).body.data;
    return interaction as { turnId: string } | undefined;
  });
  const statusOf = async (): Promise<string> =>
    (await space.owner.get(`/agents/${agentId}/turns/${turn.turnId}`)).body.data.status;
  expect(await statusOf()).toBe('WAITING_INPUT');
  return { member, executionId, statusOf };
}

describe('an execution that ends after its owner has left the Space', () => {
  it('stops the turn that it waited for', async () => {
    const space = await platform.newSpace();
    const { member, executionId, statusOf } = await waiting(space);
    expect((await space.owner.delete(`/spaces/${space.id}/members/${member.identity.userId}`)).status).toBe(200);
    expect((await space.owner.post(`/tasks/executions/${executionId}/cancel`, {})).status).toBe(200);
    await until(async () => (await statusOf()) === 'CANCELLED');
  });
});

describe('a task whose owner is disabled', () => {
  it('starts nothing, and runs again when the account is enabled', async () => {
    const space = await platform.newSpace();
    const member = await space.member();
    const tasks = new TaskActions(member);
    const task = await tasks.create({ steps: [transform('say', { value: 1 })] });
    const operator = await platform.operator();
    const change = (what: string): Promise<{ status: number }> =>
      operator.post(`/operator/users/${member.identity.userId ?? ''}/${what}`, {});
    const ofOthers = new TaskActions(space.owner);
    const run = async (status: string): Promise<Answer> =>
      ofOthers.reaches(await ofOthers.start(task.id as string), status);

    expect((await change('disable')).status).toBe(200);
    expect(await run('FAILED')).toMatchObject({
      error: { code: 'FORBIDDEN', message: expect.stringContaining('account is disabled') },
    });
    expect((await change('enable')).status).toBe(200);
    await run('SUCCEEDED');
  });
});
