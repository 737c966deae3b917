import type { JsonObject } from '@switchyard/kernel';
import { type Client, type TestSpace, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

const schema = {
  fields: [
    { name: 'sku', type: 'string', required: true, unique: true },
    { name: 'name', type: 'string', indexed: true },
    { name: 'stock', type: 'integer', default: 0 },
    { name: 'price', type: 'decimal', unique: true },
    { name: 'state', type: 'string', enum: ['new', 'used'] },
  ],
};

describe('records', () => {
  let space: TestSpace;
  let owner: Client;
  let path: string;
  let data: string;

  beforeAll(async () => {
    space = await platform.newSpace();
    owner = space.owner;
  });

  beforeEach(async () => {
    const created = await owner.post('/datasets', { name: 'Goods', schema });
    path = `/datasets/${created.body.data.id}`;
    data = `${path}/data`;
  });

  const insert = (records: JsonObject[], more: object = {}, headers: Record<string, string> = {}) =>
    owner.post(`${data}/insert`, { records, ...more }, { headers });
  const all = async (body: object = {}): Promise<JsonObject[]> =>
    (await owner.post(`${data}/query`, { limit: 1000, ...body })).body.data;
  const count = async (filter?: object): Promise<number> =>
    (await owner.post(`${data}/count`, { filter })).body.data.count;

  it('inserts records, fills in defaults and answers their ids in order', async () => {
    const reply = await insert([{ sku: 'a', stock: 5 }, { sku: 'b' }]);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ success: true, data: { inserted: 2, updated: 0, skipped: 0 } });
    const rows = await all({ sort: [{ field: 'sku' }] });
    expect(rows.map((row) => [row.sku, row.stock])).toEqual([
      ['a', 5],
      ['b', 0],
    ]);
    expect(rows.map((row) => row.id)).toEqual(reply.body.data.ids);
    expect(rows[0]!.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('shows the exact number of records on the dataset', async () => {
    await insert([{ sku: 'a' }, { sku: 'b' }, { sku: 'c' }]);
    await owner.post(`${data}/delete`, { filter: { sku: 'b' } });
    const dataset = await owner.get(path);
    expect(dataset.body.data.recordCount).toBe(2);
    expect(await count()).toBe(2);
  });

  it.each<[string, JsonObject[], number, string]>([
    ['a missing required field', [{ name: 'x' }], 400, 'records[0].sku'],
    ['null in a required field', [{ sku: null }], 400, 'records[0].sku'],
    ['a value outside the enum', [{ sku: 'a' }, { sku: 'b', state: 'old' }], 400, 'records[1].state'],
    ['a record that is no object', [{ sku: 'a' }, [] as unknown as JsonObject], 400, 'records[1]'],
  ])('refuses %s and writes nothing', async (_name, records, status, path) => {
    const reply = await insert(records);
    expect([reply.status, reply.body.details[0].path]).toEqual([status, path]);
    expect(await count()).toBe(0);
  });

  it('refuses no records, and over 1000', async () => {
    expect((await insert([])).status).toBe(400);
    expect((await insert(Array.from({ length: 1001 }, (_, i) => ({ sku: `s${i}` })))).status).toBe(400);
    expect((await insert(Array.from({ length: 1000 }, (_, i) => ({ sku: `s${i}` })))).status).toBe(200);
  });

  it('answers a unique violation with 409 that names the field, and writes nothing', async () => {
    await insert([{ sku: 'a' }]);
    for (const records of [
      [{ sku: 'b' }, { sku: 'a' }],
      [{ sku: 'c' }, { sku: 'c' }],
    ]) {
      const reply = await insert(records);
      expect([reply.status, reply.body.code]).toEqual([409, 'CONFLICT']);
      expect(reply.body.message).toContain('sku');
    }
    const clash = await owner.post(`${data}/update`, { filter: { sku: 'a' }, set: { price: '1.0' } });
    expect(clash.status).toBe(200);
    expect((await insert([{ sku: 'd', price: '1.00' }])).status).toBe(409);
    expect(await count()).toBe(1);
  });

  it('updates on conflict only the fields that were given', async () => {
    await insert([{ sku: 'a', name: 'old', stock: 7 }]);
    const reply = await insert([{ sku: 'a', name: 'new' }, { sku: 'b' }], {
      onConflict: { field: 'sku', action: 'UPDATE' },
    });
    expect(reply.body.data).toMatchObject({ inserted: 1, updated: 1, skipped: 0 });
    const rows = await all({ sort: [{ field: 'sku' }] });
    expect(rows.map(({ sku, name, stock }) => ({ sku, name, stock }))).toEqual([
      { sku: 'a', name: 'new', stock: 7 },
      { sku: 'b', name: undefined, stock: 0 },
    ]);
    expect(reply.body.data.ids).toEqual(rows.map((row) => row.id));
  });

  it('skips on conflict', async () => {
    const first = await insert([{ sku: 'a', name: 'kept' }]);
    const reply = await insert([{ sku: 'a', name: 'no' }, { sku: 'b' }], {
      onConflict: { field: 'sku', action: 'SKIP' },
    });
    expect(reply.body.data).toMatchObject({ inserted: 1, updated: 0, skipped: 1 });
    expect(reply.body.data.ids[0]).toBe(first.body.data.ids[0]);
    expect((await all({ filter: { sku: 'a' } }))[0]!.name).toBe('kept');
  });

  it('lets the last of repeats win an update, and the first a skip', async () => {
    const repeats = [
      { sku: 'a', name: '1' },
      { sku: 'a', name: '2' },
      { sku: 'a', name: '3' },
    ];
    expect((await insert(repeats, { onConflict: { field: 'sku', action: 'UPDATE' } })).body.data).toMatchObject({
      inserted: 1,
      updated: 2,
    });
    expect((await all())[0]!.name).toBe('3');
    await owner.post(`${data}/delete`, { all: true });
    expect((await insert(repeats, { onConflict: { field: 'sku', action: 'SKIP' } })).body.data).toMatchObject({
      inserted: 1,
      skipped: 2,
    });
    expect((await all())[0]!.name).toBe('1');
  });

  it('takes decimals of one value as one key', async () => {
    await insert([{ sku: 'a', price: '1.50' }]);
    const reply = await insert([{ sku: 'b', price: '1.5' }], { onConflict: { field: 'price', action: 'UPDATE' } });
    expect(reply.body.data).toMatchObject({ inserted: 0, updated: 1 });
  });

  it.each(['0', '-0'])('takes %s for the key 0', async (zero) => {
    await insert([{ sku: 'a', price: zero }]);
    const again = [
      { sku: 'b', price: '-0.0' },
      { sku: 'c', price: '0' },
    ];
    const reply = await insert(again, { onConflict: { field: 'price', action: 'UPDATE' } });
    expect([reply.status, reply.body.data]).toMatchObject([200, { inserted: 0, updated: 2 }]);
  });

  it('takes the default of the schema for the key of onConflict', async () => {
    const fields = [
      { name: 'k', type: 'string', unique: true, default: 'dk' },
      { name: 'r', type: 'string' },
      { name: 'n', type: 'integer', default: 0 },
    ];
    const made = await owner.post('/datasets', { name: 'Keyed', schema: { fields } });
    data = `/datasets/${made.body.data.id}/data`;
    const upsert = (records: JsonObject[], action: string) => insert(records, { onConflict: { field: 'k', action } });
    const first = await upsert([{ r: 'a', n: 7 }, { r: 'b' }], 'UPDATE');
    expect([first.status, first.body.data]).toMatchObject([200, { inserted: 1, updated: 1 }]);
    const second = await upsert([{ r: 'c' }], 'UPDATE');
    expect([second.status, second.body.data]).toMatchObject([200, { inserted: 0, updated: 1 }]);
    expect(await all()).toMatchObject([{ k: 'dk', r: 'c', n: 7 }]);
    const third = await upsert([{ r: 'd' }, { k: null, r: 'e' }], 'SKIP');
    expect([third.status, third.body.data]).toMatchObject([200, { inserted: 1, skipped: 1 }]);
    expect(await all({ sort: [{ field: 'r' }] })).toMatchObject([
      { k: 'dk', r: 'c' },
      { k: null, r: 'e', n: 0 },
    ]);
  });

  it('needs a unique field for onConflict', async () => {
    const reply = await insert([{ sku: 'a' }], { onConflict: { field: 'name', action: 'SKIP' } });
    expect([reply.status, reply.body.details[0].path]).toEqual([400, 'onConflict.field']);
  });

  it('upserts one key from many callers into one record', async () => {
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        insert([{ sku: 'same', name: `n${i}` }], { onConflict: { field: 'sku', action: 'UPDATE' } }),
      ),
    );
    expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => 200));
    expect(replies.reduce((sum, reply) => sum + (reply.body.data.inserted as number), 0)).toBe(1);
    expect(await count()).toBe(1);
  });

  it.each([
    ['update', { set: { stock: 9 } }, { updated: 2 }],
    ['delete', {}, { deleted: 2 }],
  ])('does an %s once for one idempotency key', async (verb, body, done) => {
    const named = (sku: string): JsonObject => ({ sku, name: 'a' });
    await insert([named('o1'), named('o2')]);
    const write = () =>
      owner.post(`${data}/${verb}`, { filter: { name: 'a' }, ...body }, { headers: { 'idempotency-key': 'once' } });
    const first = await write();
    await insert([named('o3')]);
    const again = await write();
    expect([first.body.data, again.body.data]).toEqual([done, done]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect((await all({ filter: { sku: 'o3' } }))[0]).toMatchObject({ stock: 0 });
  });

  it('inserts once for parallel requests with one idempotency key', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => insert([{ sku: 'k1' }, { sku: 'k2' }], {}, { 'idempotency-key': 'order-1' })),
    );
    const good = replies.filter((reply) => reply.status === 200);
    expect(good.length).toBeGreaterThan(0);
    for (const reply of replies) expect([200, 409]).toContain(reply.status);
    for (const reply of replies.filter((other) => other.status === 409))
      expect(reply.body.code).toBe('REQUEST_IN_PROGRESS');
    expect(new Set(good.map((reply) => reply.body.data.ids.join())).size).toBe(1);
    expect(await count()).toBe(2);
    const again = await insert([{ sku: 'k1' }, { sku: 'k2' }], {}, { 'idempotency-key': 'order-1' });
    expect([again.status, again.headers['idempotency-replayed'], again.body.data.ids]).toEqual([
      200,
      'true',
      good[0]!.body.data.ids,
    ]);
    const other = await insert([{ sku: 'k3' }], {}, { 'idempotency-key': 'order-1' });
    expect([other.status, other.body.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
  });

  it('does not burn the key of a refused insert', async () => {
    expect((await insert([{ sku: 5 }], {}, { 'idempotency-key': 'retry' })).status).toBe(400);
    expect((await insert([{ sku: 'fine' }], {}, { 'idempotency-key': 'retry' })).status).toBe(200);
  });

  it('updates what the filter and the ids mean', async () => {
    const { ids } = (
      await insert([
        { sku: 'a', stock: 1 },
        { sku: 'b', stock: 1 },
        { sku: 'c', stock: 2 },
      ])
    ).body.data;
    expect((await owner.post(`${data}/update`, { filter: { stock: 1 }, set: { name: 'one' } })).body.data).toEqual({
      updated: 2,
    });
    expect(
      (await owner.post(`${data}/update`, { ids: [ids[2]], set: { name: 'two', stock: null } })).body.data,
    ).toEqual({ updated: 1 });
    expect(
      (await owner.post(`${data}/update`, { ids, filter: { name: 'one' }, set: { state: 'new' } })).body.data,
    ).toEqual({ updated: 2 });
    expect((await owner.post(`${data}/update`, { ids: [], set: { name: 'no' } })).body.data).toEqual({ updated: 0 });
    expect((await owner.post(`${data}/update`, { all: true, set: { state: 'used' } })).body.data).toEqual({
      updated: 3,
    });
    const rows = await all({ sort: [{ field: 'sku' }] });
    expect(rows.map(({ name, stock, state }) => [name, stock, state])).toEqual([
      ['one', 1, 'used'],
      ['one', 1, 'used'],
      ['two', null, 'used'],
    ]);
  });

  it.each([
    ['update', { set: { name: 'x' } }],
    ['update', { filter: {}, set: { name: 'x' } }],
    ['update', { filter: { and: [] }, set: { name: 'x' } }],
    ['update', { all: false, set: { name: 'x' } }],
    ['update', { all: true, set: {} }],
    ['update', { all: true, set: { sku: null } }],
    ['update', { all: true, set: { id: '0198c0de-0000-7000-8000-00000000000a' } }],
    ['update', { all: true, set: { stock: 1.5 } }],
    ['delete', {}],
    ['delete', { filter: {} }],
    ['delete', { ids: ['nonsense'] }],
    ['delete', { filter: { sku: 'a' }, extra: 1 }],
  ])('refuses %s %j and leaves the records alone', async (verb, body) => {
    await insert([{ sku: 'a', name: 'n' }]);
    const reply = await owner.post(`${data}/${verb}`, body);
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect((await all()).map((row) => row.name)).toEqual(['n']);
  });

  it('deletes what the filter and the ids mean', async () => {
    const { ids } = (await insert([{ sku: 'a', stock: 1 }, { sku: 'b' }, { sku: 'c' }])).body.data;
    expect((await owner.post(`${data}/delete`, { filter: { stock: 1 } })).body.data).toEqual({ deleted: 1 });
    expect((await owner.post(`${data}/delete`, { ids: [ids[0], ids[1]] })).body.data).toEqual({ deleted: 1 });
    expect((await owner.post(`${data}/delete`, { ids: [] })).body.data).toEqual({ deleted: 0 });
    expect((await owner.post(`${data}/delete`, { all: true })).body.data).toEqual({ deleted: 1 });
    expect(await count()).toBe(0);
  });

  it('refuses NUL, lone surrogates and deep nesting with 400', async () => {
    const deep = `${'['.repeat(80)}${']'.repeat(80)}`;
    for (const text of [
      '{"records":[{"sku":"a\\u0000"}]}',
      '{"records":[{"sku":"\\ud800"}]}',
      `{"records":[{"sku":"a","x":${deep}}]}`,
      '{"records":[{"sku":1e999}]}',
      '{"records":',
    ]) {
      const reply = await owner.post(`${data}/insert`, Buffer.from(text));
      expect([text.slice(0, 40), reply.status, reply.body.code]).toEqual([text.slice(0, 40), 400, 'VALIDATION_ERROR']);
    }
  });

  it('is 404 for another Space, for every verb', async () => {
    const stranger = (await platform.newSpace()).owner;
    const bodies: Record<string, object> = {
      insert: { records: [{ sku: 'x' }] },
      update: { all: true, set: { name: 'x' } },
      delete: { all: true },
      query: {},
      count: {},
      search: { query: 'x' },
      'full-text-search': { query: 'x' },
      'hybrid-search': { query: 'x' },
    };
    await insert([{ sku: 'mine' }]);
    for (const [verb, body] of Object.entries(bodies)) {
      const reply = await stranger.post(`${data}/${verb}`, body);
      expect([verb, reply.status, reply.body.code]).toEqual([verb, 404, 'NOT_FOUND']);
    }
    for (const reply of [
      await stranger.get(path),
      await stranger.get(`${path}/export`),
      await stranger.patch(path, { name: 'x' }),
      await stranger.delete(path),
      await stranger.post(`${path}/import`, Buffer.from('{"sku":"x"}\n'), {
        headers: { 'content-type': 'application/x-ndjson' },
      }),
    ]) {
      expect([reply.status, reply.body.code]).toEqual([404, 'NOT_FOUND']);
    }
    expect(await count()).toBe(1);
  });

  it('lets a viewer read and not write, and holds keys to their scopes', async () => {
    await insert([{ sku: 'a' }]);
    const viewer = await space.member('VIEWER');
    expect((await viewer.post(`${data}/query`, {})).status).toBe(200);
    expect((await viewer.post(`${data}/count`, {})).status).toBe(200);
    expect((await viewer.post(`${data}/insert`, { records: [{ sku: 'b' }] })).status).toBe(403);
    expect((await viewer.post(`${data}/delete`, { all: true })).status).toBe(403);
    const reader = await space.key({ scopes: ['datasets:read'] });
    expect((await reader.post(`${data}/query`, {})).status).toBe(200);
    expect((await reader.post(`${data}/update`, { all: true, set: { name: 'x' } })).status).toBe(403);
    const other = await space.key({ scopes: ['tasks:read'] });
    expect((await other.post(`${data}/query`, {})).status).toBe(403);
  });
});
