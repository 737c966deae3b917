import { until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

describe('versions of an agent', () => {
  it('are all kept while it is there, and go 30 days after it was deleted', async () => {
    const { owner } = await platform.newSpace();
    const create = async (): Promise<string> => {
      const made = await owner.post('/agents', { name: 'A', model: 'sim-chat', systemPrompt: 'You help.' });
      const id = made.body.data.id as string;
      await owner.put(`/agents/${id}`, { name: 'B' });
      return id;
    };
    const versionsOf = async (id: string): Promise<number> =>
      (await platform.database.query('select 1 from agent.agent_versions where agent_id = $1', [id])).length;
    const age = (id: string, days: number): Promise<unknown> =>
      platform.database.query(
        `update agent.agent_versions set created_at = now() - make_interval(days => $2),
           removed_at = case when removed_at is not null then now() - make_interval(days => $2) end where agent_id = $1`,
        [id, days],
      );
    const [stored, within, past] = [await create(), await create(), await create()];
    for (const id of [within, past]) await owner.delete(`/agents/${id}`);
    await age(stored, 4000);
    await age(within, 29);
    await age(past, 31);
    await until(async () => (await versionsOf(past)) === 0, { timeoutMs: 60_000 });
    expect(await versionsOf(stored)).toBe(2);
    expect(await versionsOf(within)).toBe(2);
    expect((await owner.get(`/agents/${stored}/versions`)).body.data).toHaveLength(2);
    const what = 'versions of deleted agents';
    const lag = await platform.service('agent').metric('switchyard_retention_lag_seconds', { what });
    expect(lag).toBeGreaterThanOrEqual(0);
  });
});
