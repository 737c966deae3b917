import { type Client, until, usePlatform } from '@switchyard/testing';
import { TaskActions } from './task-actions';

const platform = usePlatform();
const STREAM = { accept: 'text/event-stream', 'x-service-stream-protocol': 'stream-v3' };

/** A task of an agent that may write rows once its user has approved, saved with the credential of `saver`. */
async function asking(owner: Client, saver = owner) {
  const fields = [{ name: 'title', type: 'string' }];
  const dataset = await owner.post('/datasets', { name: 'orders', schema: { fields } });
  const datasetId = dataset.body.data.id as string;
  const agent = await owner.post('/agents', {
    name: 'Writes',
    model: 'sim-chat',
    systemPrompt: 'Write.',
    tools: ['write_dataset'],
    approvals: [{ tool: 'write_dataset' }],
  });
  const agentId = agent.body.data.id as string;
  const sessionId = (await owner.post('/agents/sessions', { agentId })).body.data.id as string;
  const call = { datasetId, operation: 'insert', records: [{ title: 'one' }] };
  const inputs = { session_id: sessionId, query: `@@tool write_dataset ${JSON.stringify(call)}\n@@reply done` };
  const task = await new TaskActions(saver).create({
    steps: [{ id: 'ask', type: 'agent', with: { agentId, inputs } }],
  });
  const answer = async (selected: string): Promise<void> => {
    const interaction = await until(async () => {
      const [pending] = (await owner.get('/interactions?status=PENDING')).body.data;
      return pending as { id: string; turnId: string } | undefined;
    });
    const body = { sessionId, interactionId: interaction.id, selectedOptionIds: [selected], otherText: null };
    const path = `/agents/${agentId}/turns/${interaction.turnId}/resume`;
    await (await owner.stream(path, body, { headers: STREAM })).all();
  };
  const rows = async (): Promise<number> =>
    (await owner.post(`/datasets/${datasetId}/data/count`, {})).body.data.count as number;
  return { taskId: task.id as string, answer, rows };
}

describe('a run whose turn waits for an approval', () => {
  it('goes on as the owner of the task where the key of another person has started it', async () => {
    const space = await platform.newSpace();
    const member = await space.member();
    const { taskId, answer, rows } = await asking(member);
    const started = await new TaskActions(await space.key({}, await space.member())).start(taskId);
    await answer('approve');
    await new TaskActions(member).reaches(started, 'SUCCEEDED');
    expect(await rows()).toBe(1);
  });

  it.each([
    ['approve', 1],
    ['deny', 0],
  ])('goes on after the key that saved its task was revoked: %s', async (selected, written) => {
    const space = await platform.newSpace();
    const member = await space.member();
    const key = await space.key({}, member);
    const { taskId, answer, rows } = await asking(member, key);
    expect((await member.post(`/api-keys/${key.identity.keyId ?? ''}/revoke`, {})).status).toBe(200);
    const started = await new TaskActions(member).start(taskId);
    await answer(selected);
    await new TaskActions(member).reaches(started, 'SUCCEEDED');
    expect(await rows()).toBe(written);
  });
});
