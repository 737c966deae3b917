import { type Client, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

const fields = [
  { name: 'text', type: 'text', vector: true, fullText: true },
  { name: 'n', type: 'integer', indexed: true },
];

describe('a dataset behind two replicas of its service', () => {
  const second = platform.service('dataset-2');
  let owner: Client;
  let path: string;

  beforeAll(async () => {
    owner = (await platform.newSpace()).owner;
    await second.start();
    await second.ready();
  });
  afterAll(() => second.stop().catch(() => undefined));

  beforeEach(async () => {
    path = `/datasets/${(await owner.post('/datasets', { name: 'Twice', schema: { fields } })).body.data.id}`;
  });

  const search = async (query: string) => {
    const reply = await owner.post(`${path}/data/search`, { query, topK: 3 });
    expect([reply.status, reply.body.code]).toEqual([200, undefined]);
    return reply.body.data as { record: { id: string; text?: string }; score: number }[];
  };

  it('finds by meaning what was just written, whichever of them wrote it and whichever answers', async () => {
    for (let n = 0; n < 25; n += 1) {
      const text = `sentence number ${n} about ${['ships', 'bridges', 'clocks'][n % 3]!}`;
      const inserted = await owner.post(`${path}/data/insert`, { records: [{ text, n }] });
      const [id] = inserted.body.data.ids;
      const answers = await Promise.all(Array.from({ length: 4 }, () => search(text)));
      for (const hits of answers) expect(hits[0]!.record).toMatchObject({ id, text });
      if (n % 5 !== 4) continue;
      await owner.post(`${path}/data/update`, { ids: [id], set: { text: `changed ${n} into penguins` } });
      for (const hits of await Promise.all(Array.from({ length: 4 }, () => search(`changed ${n} into penguins`))))
        expect(hits[0]!.record.id).toBe(id);
      await owner.post(`${path}/data/delete`, { ids: [id] });
      for (const hits of await Promise.all(Array.from({ length: 4 }, () => search(`changed ${n} into penguins`))))
        expect(hits.some((hit) => hit.record.id === id)).toBe(false);
    }
  }, 300_000);

  it('keeps its schema, its counts and its imports in one piece', async () => {
    const file = Buffer.from(Array.from({ length: 50_500 }, (_, n) => `{"n":${n}}\n`).join(''));
    const jobs = await Promise.all(
      Array.from({ length: 2 }, () =>
        owner.post(`${path}/import`, file, { headers: { 'content-type': 'application/x-ndjson' } }),
      ),
    );
    expect(jobs.map((job) => job.status)).toEqual([202, 202]);
    const all: object[] = [...fields];
    for (let change = 0; change < 3; change += 1) {
      all.push({ name: `added${change}`, type: 'string' });
      await until(async () => (await owner.patch(path, { schema: { fields: all } })).status === 200, {
        timeoutMs: 120_000,
      });
      const replies = await Promise.all(
        Array.from({ length: 6 }, () =>
          owner.post(`${path}/data/insert`, { records: [{ [`added${change}`]: 'there' }] }),
        ),
      );
      expect(replies.map((reply) => reply.status)).toEqual(Array.from({ length: 6 }, () => 200));
    }
    for (const job of jobs) {
      await until(
        async () => (await owner.get(`${path}/imports/${job.body.data.id}`)).body.data.phase === 'SUCCEEDED',
        { timeoutMs: 120_000 },
      );
    }
    expect((await owner.post(`${path}/data/count`, {})).body.data.count).toBe(2 * 50_500 + 18);
    expect((await owner.get(path)).body.data.recordCount).toBe(2 * 50_500 + 18);
  }, 300_000);
});
