import { type Client, type Reply, type TestSpace, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

const fields = [
  { name: 'sku', type: 'string', unique: true },
  { name: 'n', type: 'integer', indexed: true },
  { name: 'title', type: 'string', fullText: true },
];

describe('many callers of one dataset', () => {
  let space: TestSpace;
  let owner: Client;
  let path: string;

  beforeAll(async () => {
    space = await platform.newSpace();
    owner = space.owner;
  });

  beforeEach(async () => {
    path = `/datasets/${(await owner.post('/datasets', { name: 'Busy', schema: { fields } })).body.data.id}`;
  });

  const count = async (filter = {}): Promise<number> =>
    (await owner.post(`${path}/data/count`, { filter })).body.data.count;
  const insert = (records: object[], caller = owner): Promise<Reply> => caller.post(`${path}/data/insert`, { records });

  it('write while its schema changes', async () => {
    let isChanging = true;
    let written = 0;
    const write = async (caller: Client, shard: number): Promise<void> => {
      for (let turn = 0; isChanging || turn === 0; turn += 1) {
        const reply = await insert([{ sku: `${shard}-${turn}`, n: turn }, { n: shard }], caller);
        expect([reply.status, reply.body.code]).toEqual([200, undefined]);
        const seen = await caller.post(`${path}/data/query`, { filter: { sku: `${shard}-${turn}` } });
        expect(seen.body.data).toHaveLength(1);
        written += 2;
      }
    };
    // Each has a minute's requests of its own: how many they are is up to the machine.
    const callers = await Promise.all(Array.from({ length: 6 }, () => space.key()));
    const lanes = callers.map(write);
    const all: object[] = [...fields];
    for (let change = 0; change < 6; change += 1) {
      all.push({ name: `added${change}`, type: 'string', indexed: change % 2 === 0, fullText: change === 3 });
      const changed = await owner.patch(path, { schema: { fields: all } });
      expect([changed.status, changed.body.data.version]).toEqual([200, change + 2]);
      expect((await insert([{ [`added${change}`]: 'there' }])).status).toBe(200);
    }
    isChanging = false;
    await Promise.all(lanes);
    expect(await count()).toBe(written + 6);
    expect(await count({ added5: 'there' })).toBe(1);
    expect((await owner.get(path)).body.data.recordCount).toBe(written + 6);
  });

  it('are all answered, a hundred at once, and add up', async () => {
    await insert(Array.from({ length: 100 }, (_, n) => ({ sku: `s${n}`, n, title: `title ${n}` })));
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, n) => {
        switch (n % 5) {
          case 0:
            return insert([{ sku: `new${n}`, n: 1000 + n }]);
          case 1:
            return owner.post(`${path}/data/update`, { filter: { sku: `s${n}` }, set: { n: 5000 } });
          case 2:
            return owner.post(`${path}/data/query`, { filter: { n: { gte: 50 } }, sort: [{ field: 'n' }] });
          case 3:
            return owner.post(`${path}/data/full-text-search`, { query: `title ${n}` });
          default:
            return owner.post(`${path}/data/delete`, { filter: { sku: `s${n}` } });
        }
      }),
    );
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]));
    expect(await count()).toBe(100 + 20 - 20);
    expect(await count({ n: 5000 })).toBe(20);
    expect((await owner.get(path)).body.data.recordCount).toBe(100);
  });

  it('take one unique value once', async () => {
    const replies = await Promise.all(Array.from({ length: 30 }, (_, n) => insert([{ sku: 'only', n }, { n: 7777 }])));
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, ...Array.from({ length: 29 }, () => 409)]);
    expect([await count({ sku: 'only' }), await count({ n: 7777 })]).toEqual([1, 1]);
  });
});

describe('hostile callers of a dataset', () => {
  let owner: Client;
  let stranger: Client;
  let path: string;
  let foreign: string;

  beforeAll(async () => {
    owner = (await platform.newSpace()).owner;
    stranger = (await platform.newSpace()).owner;
    path = `/datasets/${(await owner.post('/datasets', { name: 'Mine', schema: { fields } })).body.data.id}`;
    foreign = (await stranger.post('/datasets', { name: 'Theirs', schema: { fields } })).body.data.id;
    await stranger.post(`/datasets/${foreign}/data/insert`, { records: [{ sku: 'secret' }] });
    await owner.post(`${path}/data/insert`, { records: [{ sku: 'a', n: 1, title: 'one' }] });
  });

  const NAMES = [
    `sku"; drop table dataset.datasets; --`,
    `sku'`,
    'c1',
    'r.c1',
    'space_id',
    'nulls',
    'words',
    '__proto__',
    'constructor',
    'SKU',
    'sku\u0000',
    's'.repeat(64),
  ];

  it.each(NAMES)('reach nothing with the name %j', async (name) => {
    const request: [string, object][] = [
      ['query', { filter: { [name]: 'a' } }],
      ['query', { sort: [{ field: name }] }],
      ['query', { fields: [name] }],
      ['count', { filter: { not: { [name]: { exists: true } } } }],
      ['update', { filter: { sku: 'a' }, set: { [name]: 'x' } }],
      ['delete', { filter: { or: [{ [name]: 'a' }, { sku: 'a' }] } }],
      ['insert', { records: [{ [name]: 'x' }] }],
      ['insert', { records: [{ sku: 'b' }], onConflict: { field: name, action: 'SKIP' } }],
      ['full-text-search', { query: 'one', fields: [name] }],
    ];
    for (const [verb, body] of request) {
      const reply = await owner.post(`${path}/data/${verb}`, body);
      expect([verb, reply.status, reply.body.code]).toEqual([verb, 400, 'VALIDATION_ERROR']);
      expect(JSON.stringify(reply.body)).not.toMatch(/ds_|select |syntax/i);
    }
    const create = await owner.post('/datasets', { name: 'x', schema: { fields: [{ name, type: 'string' }] } });
    expect([201, 400]).toContain(create.status);
    expect((await owner.post(`${path}/data/count`, {})).body.data.count).toBe(1);
  });

  it('reach no other Space by an id', async () => {
    for (const verb of [
      'query',
      'count',
      'insert',
      'update',
      'delete',
      'full-text-search',
      'search',
      'hybrid-search',
    ]) {
      const body = {
        insert: { records: [{ sku: 'x' }] },
        update: { all: true, set: { n: 1 } },
        delete: { all: true },
        'full-text-search': { query: 'x' },
        search: { query: 'x' },
        'hybrid-search': { query: 'x' },
      }[verb];
      const reply = await owner.post(`/datasets/${foreign}/data/${verb}`, body ?? {});
      expect([verb, reply.status, reply.body.code]).toEqual([verb, 404, 'NOT_FOUND']);
    }
    const [secret] = (await stranger.post(`/datasets/${foreign}/data/query`, {})).body.data;
    const byId = await owner.post(`${path}/data/query`, { ids: [secret.id] });
    expect([byId.status, byId.body.data]).toEqual([200, []]);
    expect((await owner.get(`/datasets/${foreign}/export`)).status).toBe(404);
    expect((await owner.get(`/datasets/${foreign}/imports`)).status).toBe(404);
    const sent = await owner.post(`/datasets/${foreign}/import`, Buffer.from('{"sku":"x"}\n'), {
      headers: { 'content-type': 'application/x-ndjson' },
    });
    expect(sent.status).toBe(404);
    expect((await stranger.post(`/datasets/${foreign}/data/count`, {})).body.data.count).toBe(1);
  });
});
