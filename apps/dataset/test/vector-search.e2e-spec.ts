import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

type Hit = { record: Record<string, unknown>; score: number };

const fields = [
  { name: 'text', type: 'text', vector: true, fullText: true },
  { name: 'title', type: 'string', vector: true },
  { name: 'kind', type: 'string', indexed: true },
  { name: 'n', type: 'integer' },
];

const TEXTS = [
  'how to bake sourdough bread with wild yeast',
  'the signals and points of a railway yard',
  'growing tomatoes on a small balcony',
  'a short history of the steam locomotive',
];

describe('vector search', () => {
  let space: TestSpace;
  let owner: Client;
  let data: string;

  beforeAll(async () => {
    space = await platform.newSpace();
    owner = space.owner;
  });

  beforeEach(async () => {
    const created = await owner.post('/datasets', { name: 'Meanings', schema: { fields } });
    data = `/datasets/${created.body.data.id}/data`;
  });

  const insert = async (records: object[]): Promise<string[]> => {
    const reply = await owner.post(`${data}/insert`, { records });
    expect([reply.status, reply.body.message]).toEqual([200, 'Records inserted.']);
    return reply.body.data.ids;
  };
  const search = async (body: object, verb = 'search'): Promise<Hit[]> => {
    const reply = await owner.post(`${data}/${verb}`, body);
    expect([reply.status, reply.body.code]).toEqual([200, undefined]);
    return reply.body.data;
  };

  it('finds the same text first, with score 1, right after the insert', async () => {
    await insert(TEXTS.map((text) => ({ text })));
    for (const text of TEXTS) {
      const [best] = await search({ query: text });
      expect(best!.record.text).toBe(text);
      expect(best!.score).toBe(1);
      expect(await search({ query: text, minScore: 1 })).toHaveLength(1);
    }
  });

  it('gives the texts of one Space their vectors before those that another Space has waiting', async () => {
    const crowd = await platform.newSpace();
    const created = await crowd.owner.post('/datasets', { name: 'Crowd', schema: { fields } });
    const path = `/datasets/${created.body.data.id}/data`;
    for (let part = 0; part < 6; part += 1) {
      const records = Array.from({ length: 1_000 }, (_, n) => ({ text: `text ${part} ${n}` }));
      expect((await crowd.owner.post(`${path}/insert`, { records })).status).toBe(200);
    }
    await insert(TEXTS.map((text) => ({ text })));
    const states = (spaceId: string) =>
      platform.database.query<{ n: number }>(
        `select count(*)::int as n from dataset.record_vectors where space_id = $1 and state = 'PENDING'`,
        [spaceId],
      );
    await until(async () => (await states(space.id))[0]!.n === 0, { everyMs: 5 });
    expect((await states(crowd.id))[0]!.n).toBeGreaterThan(0);
    await crowd.owner.delete(`/datasets/${created.body.data.id}`);
  });

  it('finds like texts, the best first, no more than asked for', async () => {
    await insert(TEXTS.map((text) => ({ text })));
    const hits = await search({ query: 'railway signals and points', topK: 3 });
    expect(hits).toHaveLength(3);
    expect(hits[0]!.record.text).toBe(TEXTS[1]);
    expect(hits.map((hit) => hit.score)).toEqual(hits.map((hit) => hit.score).sort((a, b) => b - a));
    const good = await search({ query: TEXTS[0]!, minScore: 0.9 });
    expect(good).toHaveLength(1);
  });

  it('filters before it ranks', async () => {
    await insert(Array.from({ length: 300 }, (_, n) => ({ text: `railway signals number ${n}`, kind: 'common', n })));
    await insert([
      { text: 'something about gardens and bees', kind: 'rare', n: 1000 },
      { text: 'flowers', kind: 'rare', n: 1001 },
    ]);
    const hits = await search({ query: 'railway signals number 7', filter: { kind: 'rare' }, topK: 10 });
    expect(hits.map((hit) => hit.record.kind)).toEqual(['rare', 'rare']);
    expect(await search({ query: 'railway signals number 7', filter: { kind: 'none' } })).toEqual([]);
    expect((await search({ query: 'flowers', filter: { n: { gte: 0 } }, topK: 1 }))[0]!.record.n).toBe(1001);
  });

  it('follows updates, deletes and cleared texts', async () => {
    const ids = await insert(TEXTS.map((text) => ({ text })));
    await search({ query: 'warm up' });
    await owner.post(`${data}/update`, { ids: [ids[0]], set: { text: 'penguins of the antarctic' } });
    const [best] = await search({ query: 'penguins of the antarctic' });
    expect([best!.record.id, Math.round(best!.score * 100)]).toEqual([ids[0], 100]);
    expect(await search({ query: TEXTS[0]!, minScore: 0.9 })).toEqual([]);
    await owner.post(`${data}/update`, { ids: [ids[1]], set: { text: null } });
    await owner.post(`${data}/delete`, { ids: [ids[2]] });
    const remaining = (await search({ query: 'anything', topK: 100 })).map((hit) => hit.record.id);
    expect(remaining.sort()).toEqual([ids[0], ids[3]].sort());
  });

  it('searches in the vector fields that are named, and answers the fields that are named', async () => {
    await insert([
      { title: 'alpha beta', text: 'gamma delta', n: 1 },
      { title: 'gamma delta', text: 'alpha beta', n: 2 },
    ]);
    const [byTitle] = await search({ query: 'alpha beta', fields: ['title'] });
    expect(byTitle!.record).toEqual({ id: byTitle!.record.id, title: 'alpha beta' });
    const [byText] = await search({ query: 'alpha beta', fields: ['text', 'n'] });
    expect(byText!.record.n).toBe(2);
    const both = await search({ query: 'alpha beta' });
    expect(both.map((hit) => Math.round(hit.score * 100))).toEqual([100, 100]);
  });

  it('joins meaning and words', async () => {
    await insert([...TEXTS.map((text) => ({ text })), { text: 'locomotive', kind: 'word' }]);
    const hits = await search({ query: 'steam locomotive', topK: 3 }, 'hybrid-search');
    expect(hits[0]!.record.text).toBe(TEXTS[3]);
    // More than one ranking alone can give.
    expect(hits[0]!.score).toBeGreaterThan(1 / 61 + 1 / 80);
    expect(await search({ query: 'locomotive', filter: { kind: 'word' } }, 'hybrid-search')).toHaveLength(1);
  });

  it('leaves out of a hybrid search what scores lower than asked for, as it is shown', async () => {
    await insert(TEXTS.map((text) => ({ text })));
    const all = await search({ query: TEXTS[3]! }, 'hybrid-search');
    expect(all).toHaveLength(4);
    const least = all[1]!.score;
    const good = await search({ query: TEXTS[3]!, minScore: least }, 'hybrid-search');
    expect(good).toEqual(all.filter((hit) => hit.score >= least));
    expect(good.length).toBeLessThan(all.length);
    expect(await search({ query: TEXTS[3]!, minScore: 0.5 }, 'hybrid-search')).toEqual([]);
  });

  it('keeps the datasets of two Spaces apart', async () => {
    await insert([{ text: TEXTS[0] }]);
    const other = await platform.newSpace();
    const created = await other.owner.post('/datasets', { name: 'Other', schema: { fields } });
    const reply = await other.owner.post(`/datasets/${created.body.data.id}/data/search`, { query: TEXTS[0] });
    expect(reply.body.data).toEqual([]);
  });

  it('meters the texts and the queries', async () => {
    const before = (await owner.get('/usage/balance')).body.data;
    await insert([{ text: 'some words to be embedded and paid for' }]);
    await search({ query: `a question nobody asked before ${Date.now()}` });
    await until(async () => (await owner.get('/usage/balance')).body.data.balance < before.balance);
  });

  it.each([
    [{}],
    [{ query: '' }],
    [{ query: 5 }],
    [{ query: 'x', topK: 0 }],
    [{ query: 'x', topK: 101 }],
    [{ query: 'x', minScore: 'high' }],
    [{ query: 'x', filter: { nope: 1 } }],
    [{ query: 'x', fields: ['nope'] }],
    [{ query: 'x', limit: 5 }],
  ])('refuses %j', async (body) => {
    for (const verb of ['search', 'hybrid-search']) {
      const reply = await owner.post(`${data}/${verb}`, body);
      expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
  });

  it('refuses a dataset without vector fields', async () => {
    const plain = await owner.post('/datasets', { name: 'Plain', schema: { fields: [{ name: 'a', type: 'string' }] } });
    expect((await owner.post(`/datasets/${plain.body.data.id}/data/search`, { query: 'a' })).status).toBe(400);
    expect((await owner.post(`/datasets/${plain.body.data.id}/data/hybrid-search`, { query: 'a' })).status).toBe(400);
  });
});
