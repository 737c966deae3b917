import { newId } from '@switchyard/kernel';
import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

interface Top {
  spaceId: string;
  name: string | null;
  value: number;
}

describe('The largest Spaces, as an operator sees them', () => {
  const gateway = platform.service('gateway');
  let operator: Client;
  let space: TestSpace;

  beforeAll(async () => {
    // Usage of other tests disappears with the process that counted it.
    await gateway.restart({});
    await gateway.ready();
    operator = await platform.operator();
    space = await platform.newSpace('The largest of all');
  }, 300_000);

  const top = async (query: string): Promise<Top[]> => {
    const { status, body } = await operator.get(`/operator/top?${query}`);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body.data;
  };
  const found = (by: string, atLeast: number): Promise<Top> =>
    until(async () => {
      // A connection that is idle for long is closed by its client.
      await space.owner.get('/auth/me');
      return (await top(`by=${by}`)).find(({ spaceId, value }) => spaceId === space.id && value >= atLeast);
    });

  it('are found by turns, tokens, frames, bytes and connections', async () => {
    const agent = await space.owner.post('/agents', {
      name: 'Top',
      model: 'sim-chat',
      systemPrompt: 'You are a test.',
    });
    for (let n = 0; n < 3; n += 1) {
      const contents = [{ type: 'text', text: 'Hello' }];
      const chat = { contents, turnId: newId(), stream: false };
      expect((await space.owner.post(`/agents/${agent.body.data.id}/chat`, chat)).status).toBe(200);
    }
    expect(await found('turns', 3)).toEqual({ spaceId: space.id, name: 'The largest of all', value: 3 });
    for (const [by, atLeast] of [
      ['tokens', 3],
      ['frames', 6],
      ['bytes', 500],
      ['connections', 1],
    ] as const)
      expect((await found(by, atLeast)).name).toBe('The largest of all');
    expect((await top('by=turns&minutes=60')).find(({ spaceId }) => spaceId === space.id)?.value).toBe(3);
  });

  it('have no names while the key service does not answer', async () => {
    const key = platform.service('key');
    key.pause();
    try {
      const own = (await top('by=turns&minutes=60')).find(({ spaceId }) => spaceId === space.id);
      expect(own).toEqual({ spaceId: space.id, name: null, value: 3 });
    } finally {
      key.resume();
    }
  }, 60_000);

  it('are found by runs, emissions and what waits in queues', async () => {
    const step = { id: 'a', type: 'transform', with: { value: { n: 1 } } };
    const task = await space.owner.post('/tasks', { name: 'Top', steps: [step] });
    expect(task.status).toBe(201);
    const path = `/tasks/${task.body.data.id}/execute`;
    for (let n = 0; n < 2; n += 1) expect((await space.owner.post(path, {})).status).toBe(202);
    await found('runs', 2);
    const manifest = {
      identifier: `app-${newId().slice(-12)}`,
      name: 'Top',
      version: '1.0.0',
      events: [{ name: 'happened', schema: { type: 'object' } }],
    };
    const installed = await space.owner.post('/applications', { manifest });
    const app = space.owner.as(`Bearer ${installed.body.data.systemApiKey as string}`);
    for (let n = 0; n < 4; n += 1)
      await app.post('/events/emit', { appIdentifier: manifest.identifier, event: 'happened', payload: { n } });
    await found('emissions', 4);
    await space.owner.patch(`/spaces/${space.id}`, { settings: { taskConcurrency: 1 } });
    const slow = { id: 'slow', type: 'wait', with: { seconds: 600 } };
    const waiting = await space.owner.post('/tasks', { name: 'Slow', steps: [slow], concurrency: { limit: 1 } });
    for (let n = 0; n < 5; n += 1) await space.owner.post(`/tasks/${waiting.body.data.id}/execute`, {});
    await found('queue', 4);
    await space.owner.delete(`/tasks/${waiting.body.data.id}`);
  });

  it.each(['by=nonsense', 'by=turns&minutes=0', 'by=turns&minutes=61', 'by=turns&hours=1'])(
    'are not asked for with %s',
    async (query) => {
      expect((await operator.get(`/operator/top?${query}`)).status).toBe(400);
    },
  );

  it('are shown to operators alone', async () => {
    const statuses = [platform.anonymous, space.owner, await space.key()].map(
      async (client) => (await client.get('/operator/top?by=turns')).status,
    );
    expect(await Promise.all(statuses)).toEqual([401, 404, 404]);
  });
});
