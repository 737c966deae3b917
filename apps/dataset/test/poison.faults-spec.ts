import { poisonFor } from '@switchyard/kernel';
import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { tableOf } from '../src/domain/table-layout';

/** Two restarts and a lease. */
const PATIENCE = { timeoutMs: 120_000, everyMs: 250 };
const NDJSON = { headers: { 'content-type': 'application/x-ndjson' } };

const platform = usePlatform();

describe('a record that ends the process which reads it', () => {
  let operator: Client;
  let space: TestSpace;
  let owner: Client;

  beforeAll(async () => {
    operator = await platform.operator();
    space = await platform.newSpace();
    owner = space.owner;
  });

  /** How often the dataset service ended since the test began. */
  let deaths: () => number;
  let timer: NodeJS.Timeout;
  beforeEach(() => {
    const pids = new Set<number>();
    const look = (): void => {
      const { pid } = platform.service('dataset');
      if (pid !== null) pids.add(pid);
    };
    look();
    timer = setInterval(look, 20).unref();
    deaths = () => pids.size - 1;
  });
  afterEach(() => {
    clearInterval(timer);
  });

  const newDataset = async (field: object = {}): Promise<string> =>
    until(async () => {
      const fields = [{ name: 'text', type: 'text', ...field }];
      const made = await owner.post('/datasets', { name: 'Poison', schema: { fields } });
      return made.status === 201 ? (made.body.data.id as string) : null;
    }, PATIENCE);
  const poisoned = (kind: string): Promise<{ id: string; losses: number }> =>
    until(async () => {
      const { body } = await operator.get(`/operator/poisoned?kind=${kind}&limit=100`);
      return (body.data as { id: string; spaceId: string; losses: number }[]).find((row) => row.spaceId === space.id);
    }, PATIENCE);
  const count = (datasetId: string): Promise<number> =>
    until(async () => {
      const reply = await owner.post(`/datasets/${datasetId}/data/count`, {});
      return reply.status === 200 ? { n: reply.body.data.count as number } : null;
    }, PATIENCE).then(({ n }) => n);
  const ended = (datasetId: string, id: string) =>
    until(async () => {
      const { data } = (await owner.get(`/datasets/${datasetId}/imports/${id}`)).body;
      return ['SUCCEEDED', 'FAILED'].includes(data?.phase) ? data : null;
    }, PATIENCE);
  const retry = (id: string) =>
    until(async () => {
      const answer = await operator.post(`/operator/poisoned/${id}/retry`, {});
      return answer.status === 503 ? null : answer;
    }, PATIENCE);

  it('as a line of a large import ends two, and the import is given up with nothing left of it', async () => {
    const datasetId = await newDataset();
    const open = await newDataset();
    const file = Array.from({ length: 60_000 }, (_, n) => `{"text":"line ${n}"}\n`).join('');
    const bad = `${file}${JSON.stringify({ text: poisonFor('dataset.import') })}\n`;
    const sent = await owner.post(`/datasets/${datasetId}/import`, Buffer.from(bad), NDJSON);
    expect(sent.status).toBe(202);
    const { id } = sent.body.data;
    expect(await poisoned('import')).toMatchObject({ id, losses: 2 });
    const end = await ended(datasetId, id);
    expect([end.phase, end.error.code]).toEqual(['FAILED', 'RUNTIME_UNAVAILABLE']);
    const good = await until(async () => {
      const reply = await owner.post(`/datasets/${open}/import`, Buffer.from(`{"text":"good"}\n`), NDJSON);
      return reply.status === 503 ? null : reply;
    }, PATIENCE);
    expect(good.status).toBe(200);
    expect(await count(datasetId)).toBe(0);
    const refused = await retry(id);
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
    expect(refused.body.message).toContain('Import its file once more');
    expect((await poisoned('import')).id).toBe(id);
    expect(deaths()).toBe(2);
  }, 300_000);

  it('is not given up with an import of another Space, also if it is sent again beside that', async () => {
    const other = (await platform.newSpace()).owner;
    const schema = { fields: [{ name: 'text', type: 'text' }] };
    const innocent: string = (await other.post('/datasets', { name: 'Innocent', schema })).body.data.id;
    const lines = (count: number): string => Array.from({ length: count }, (_, n) => `{"text":"line ${n}"}\n`).join('');
    const bad = Buffer.from(`${lines(50_001)}${JSON.stringify({ text: poisonFor('dataset.import') })}\n`);
    const send = (client: Client, datasetId: string, file: Buffer) =>
      until(async () => {
        const reply = await client.post(`/datasets/${datasetId}/import`, file, NDJSON);
        return reply.status === 202 ? (reply.body.data.id as string) : null;
      }, PATIENCE);
    const [first, second] = [await newDataset(), await newDataset()];
    const good = await send(other, innocent, Buffer.from(lines(250_000)));
    await send(owner, first, bad);
    await until(() => deaths() === 1, PATIENCE);
    await send(owner, second, bad);
    const phase = await until(
      async () => {
        const { data } = (await other.get(`/datasets/${innocent}/imports/${good}`)).body;
        return ['SUCCEEDED', 'FAILED'].includes(data?.phase) ? (data.phase as string) : null;
      },
      { ...PATIENCE, timeoutMs: 200_000 },
    );
    expect(phase).toBe('SUCCEEDED');
    // So that the next file finds nothing of these.
    await until(async () => {
      const { body } = await operator.get('/operator/poisoned?kind=import&limit=100');
      return (body.data as { spaceId: string }[]).filter(({ spaceId }) => spaceId === space.id).length === 3;
    }, PATIENCE);
  }, 400_000);

  it('as a text to embed ends two, is given up and listed, and the texts beside it are embedded', async () => {
    const datasetId = await newDataset({ vector: true });
    const texts = [...Array.from({ length: 20 }, (_, n) => `text ${n}`), poisonFor('dataset.embedding')];
    const inserted = await owner.post(`/datasets/${datasetId}/data/insert`, {
      records: texts.map((text) => ({ text })),
    });
    const bad = inserted.body.data.ids[20] as string;
    const standing = async (): Promise<
      | {
          pending: number;
          failed: number;
          failures: { recordId: string; code: string }[];
        }
      | undefined
    > => (await owner.get(`/datasets/${datasetId}/embeddings`)).body.data;
    expect(await poisoned('embedding')).toMatchObject({ id: bad, losses: 2 });
    const found = await until(async () => {
      const now = await standing();
      return now?.pending === 0 ? now : null;
    }, PATIENCE);
    expect([found.failed, found.failures]).toEqual([
      1,
      [expect.objectContaining({ recordId: bad, code: 'RUNTIME_UNAVAILABLE' })],
    ]);
    expect((await owner.post(`/datasets/${datasetId}/embeddings/retry`, {})).body.data).toEqual({ retried: 0 });
    expect(deaths()).toBe(2);
    await platform.database.query(`update dataset.${tableOf(datasetId)} set c1 = 'harmless' where c1 = $1`, [
      poisonFor('dataset.embedding'),
    ]);
    expect((await retry(bad)).status).toBe(200);
    await until(async () => {
      const now = await standing();
      return now?.pending === 0 && now.failed === 0;
    }, PATIENCE);
  }, 300_000);
});
