import { newId } from '@switchyard/kernel';
import { usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const AGENT = { name: 'Limited', model: 'sim-chat', systemPrompt: 'Answer.' };

describe('the limits of an API key', () => {
  it('name agents that there are; those that they named and that have gone may stay', async () => {
    const { owner } = await platform.newSpace();
    const newAgent = async (by = owner): Promise<string> => (await by.post('/agents', AGENT)).body.data.id as string;
    const agentId = await newAgent();
    const foreign = await newAgent((await platform.newSpace()).owner);
    const made = await owner.post('/api-keys', { name: 'limited', limits: { agents: [agentId] } });
    expect(made.status).toBe(201);
    const path = `/api-keys/${made.body.data.id as string}`;
    for (const limits of [{ agents: [foreign] }, { agents: [agentId, newId()] }]) {
      expect([limits, (await owner.post('/api-keys', { name: 'x', limits })).status]).toEqual([limits, 404]);
      expect([limits, (await owner.put(path, { limits })).status]).toEqual([limits, 404]);
    }
    expect((await owner.delete(`/agents/${agentId}`)).status).toBe(200);
    const limits = { agents: [await newAgent(), agentId] };
    expect((await owner.put(path, { limits })).status).toBe(200);
  });
});
