import { randomUUID } from 'node:crypto';
import { usePlatform } from '@switchyard/testing';
import { AGENT, contentsOf } from './talk';

const platform = usePlatform();

describe('an unexpected error', () => {
  it('in a tool ends its turn, and neither the process nor the turns of others', async () => {
    const agentService = platform.service('agent');
    await agentService.ready();
    const { owner } = await platform.newSpace();
    const fields = [{ name: 'n', type: 'integer' }];
    const datasetId = (await owner.post('/datasets', { name: 'd', schema: { fields } })).body.data.id as string;
    const agentId = (await owner.post('/agents', { ...AGENT, tools: ['query_dataset'] })).body.data.id as string;
    const neighbour = (await platform.newSpace()).owner;
    const theirs = (await neighbour.post('/agents', AGENT)).body.data.id as string;
    const { pid } = agentService;
    const other = neighbour.post(`/agents/${theirs}/chat`, {
      ...contentsOf('@@delay 20\n@@tokens 100'),
      turnId: randomUUID(),
      stream: false,
    });
    await agentService.arm('agent.tool-done', 'throw');
    const turnId = randomUUID();
    const text = `@@tool query_dataset ${JSON.stringify({ datasetId })}\n@@reply got {{tool}}`;
    await owner.post(`/agents/${agentId}/chat`, { ...contentsOf(text), turnId, stream: false });
    const { body } = await owner.get(`/agents/${agentId}/turns/${turnId}`);
    expect(body.data).toMatchObject({ status: 'FAILED', error: { code: 'SERVER_ERROR' } });
    expect((await other).body.data.status).toBe('COMPLETED');
    expect(agentService.pid).toBe(pid);
  });
});
