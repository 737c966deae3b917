import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

interface Embeddings {
  pending: number;
  failed: number;
  failures: Record<string, unknown>[];
}

describe('embeddings of a dataset', () => {
  let space: TestSpace;
  let owner: Client;
  let path: string;

  beforeAll(async () => {
    space = await platform.newSpace();
    owner = space.owner;
    const fields = [
      { name: 'title', type: 'string', vector: true },
      { name: 'body', type: 'text', vector: true },
    ];
    const made = await owner.post('/datasets', { name: 'Manuals', schema: { fields } });
    path = `/datasets/${made.body.data.id}`;
  });

  const read = async (): Promise<Embeddings> => (await owner.get(`${path}/embeddings`)).body.data;
  const keepBack = async (minimumBalance: number | null): Promise<void> => {
    expect((await owner.patch(`/spaces/${space.id}`, { settings: { minimumBalance } })).status).toBe(200);
  };

  it('say what fails and why, and a retry embeds it as soon as the reason is gone', async () => {
    expect(await read()).toEqual({ pending: 0, failed: 0, failures: [] });
    await keepBack(10_000_000_000);
    const records = [{ title: 'Points', body: 'How points are set.' }, { title: 'Signals' }];
    const { ids } = (await owner.post(`${path}/data/insert`, { records })).body.data;
    expect((await read()).pending + (await read()).failed).toBeGreaterThan(0);
    const { pending, failures } = await until(async () => {
      const now = await read();
      return now.failed === 3 ? now : undefined;
    });
    expect(pending).toBe(0);
    expect(failures.map(({ recordId, field }) => [recordId, field])).toEqual([
      [ids[0], 'title'],
      [ids[0], 'body'],
      [ids[1], 'title'],
    ]);
    expect(failures[0]).toMatchObject({
      attempts: expect.any(Number),
      code: 'BELOW_MINIMUM_BALANCE',
      message: expect.stringMatching(/\w/),
      retryAt: expect.stringMatching(/^\d{4}-/),
    });
    // So that only the retry can have done it.
    await platform.database.query(
      `update dataset.record_vectors set state = 'FAILED' where space_id = $1 and state = 'PENDING'`,
      [space.id],
    );
    await keepBack(null);
    expect((await read()).failures.map(({ retryAt }) => retryAt)).toEqual([null, null, null]);
    const retried = await owner.post(`${path}/embeddings/retry`, {});
    expect([retried.status, retried.body.data]).toEqual([200, { retried: 3 }]);
    await until(async () => {
      const { pending: waiting, failed } = await read();
      return (waiting === 0 && failed === 0) || undefined;
    });
    const found = await owner.post(`${path}/data/search`, { query: 'How points are set.', topK: 1 });
    expect(found.body.data[0].score).toBe(1);
    expect((await owner.post(`${path}/embeddings/retry`, {})).body.data).toEqual({ retried: 0 });
  });

  it('are closed to other Spaces, and a viewer tries nothing again', async () => {
    const other = await platform.newSpace();
    expect((await other.owner.get(`${path}/embeddings`)).status).toBe(404);
    expect((await other.owner.post(`${path}/embeddings/retry`, {})).status).toBe(404);
    const viewer = await space.member('VIEWER');
    expect((await viewer.get(`${path}/embeddings`)).status).toBe(200);
    expect((await viewer.post(`${path}/embeddings/retry`, {})).status).toBe(403);
    expect((await owner.get('/datasets/no-id/embeddings')).status).toBe(400);
    expect((await owner.post('/datasets/no-id/embeddings/retry', {})).status).toBe(400);
    expect((await owner.post(`${path}/embeddings/retry`, { all: true })).status).toBe(400);
  });
});
