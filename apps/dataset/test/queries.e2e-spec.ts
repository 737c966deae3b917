import type { JsonObject } from '@switchyard/kernel';
import { type Client, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

type Page = { data: JsonObject[]; page: { limit: number; nextCursor: string | null } };

describe('queries', () => {
  let owner: Client;
  let data: string;

  beforeAll(async () => {
    owner = (await platform.newSpace()).owner;
  });

  const newDataset = async (fields: object[]): Promise<string> => {
    const created = await owner.post('/datasets', { name: 'Queries', schema: { fields } });
    expect(created.status).toBe(201);
    return `/datasets/${created.body.data.id}/data`;
  };

  beforeEach(async () => {
    data = await newDataset([
      { name: 'n', type: 'integer', indexed: true },
      { name: 'g', type: 'string' },
      { name: 'm', type: 'number' },
    ]);
  });

  const insert = async (records: JsonObject[]): Promise<string[]> =>
    (await owner.post(`${data}/insert`, { records })).body.data.ids;
  const query = async (body: object): Promise<Page> => {
    const reply = await owner.post(`${data}/query`, body);
    expect([reply.status, reply.body.message]).toEqual([200, 'Records.']);
    return reply.body;
  };
  const pages = async (body: object, between?: () => Promise<unknown>): Promise<JsonObject[][]> => {
    const found: JsonObject[][] = [];
    let cursor: string | null = null;
    do {
      const page: Page = await query({ ...body, ...(cursor === null ? {} : { cursor }) });
      found.push(page.data);
      cursor = page.page.nextCursor;
      await between?.();
    } while (cursor !== null);
    return found;
  };

  it('answers the newest first, 50 unless said', async () => {
    await insert(Array.from({ length: 60 }, (_, n) => ({ n })));
    const page = await query({});
    expect(page.page.limit).toBe(50);
    expect(page.data.map((row) => row.n)).toEqual(Array.from({ length: 50 }, (_, i) => 59 - i));
    expect((await query({ cursor: page.page.nextCursor })).data.map((row) => row.n)).toEqual([
      9, 8, 7, 6, 5, 4, 3, 2, 1, 0,
    ]);
  });

  it.each<[string, object[]]>([
    ['one field up', [{ field: 'n', direction: 'asc' }]],
    ['one field down', [{ field: 'n', direction: 'desc' }]],
    [
      'fields in both directions',
      [
        { field: 'g', direction: 'desc' },
        { field: 'n', direction: 'asc' },
      ],
    ],
    [
      'a field that some lack',
      [
        { field: 'm', direction: 'asc' },
        { field: 'n', direction: 'desc' },
      ],
    ],
    ['times', [{ field: 'createdAt', direction: 'asc' }]],
  ])('pages by %s without losing or repeating a record', async (_name, sort) => {
    const records = Array.from({ length: 43 }, (_, i) => ({
      n: i % 5 === 0 ? undefined : i % 7,
      g: ['x', 'y', null][i % 3],
      m: i % 4 === 0 ? undefined : i / 10,
    }));
    const ids = await insert(records);
    const whole = (await query({ sort, limit: 1000 })).data.map((row) => row.id);
    expect([...whole].sort()).toEqual([...ids].sort());
    const found = await pages({ sort, limit: 4 });
    expect(found.flat().map((row) => row.id)).toEqual(whole);
    expect(found.slice(0, -1).every((page) => page.length === 4)).toBe(true);
  });

  it('repeats nothing and skips nothing while records come and go', async () => {
    const ids = await insert(Array.from({ length: 30 }, (_, n) => ({ n })));
    const removed: unknown[] = [];
    const found = await pages({ sort: [{ field: 'n' }], limit: 5 }, async () => {
      await insert([{ n: -1 - removed.length }, { n: 100 + removed.length }]);
      removed.push(ids[removed.length * 3]);
      await owner.post(`${data}/delete`, { ids: removed });
    });
    const seen = found.flat().map((row) => row.id);
    expect(new Set(seen).size).toBe(seen.length);
    expect(ids.filter((id) => !removed.includes(id) && !seen.includes(id))).toEqual([]);
  });

  it('sees every record that stays, once, during other writes', async () => {
    const ids = await insert(Array.from({ length: 40 }, (_, n) => ({ n })));
    let step = 0;
    const found = await pages({ limit: 7 }, async () => {
      step += 1;
      await insert([{ n: 1000 + step }]);
      await owner.post(`${data}/update`, { ids: [ids[step]], set: { g: 'touched' } });
    });
    expect(found.flat().map((row) => row.id)).toEqual([...ids].reverse());
  });

  it('offsets', async () => {
    await insert(Array.from({ length: 10 }, (_, n) => ({ n })));
    const page = await query({ sort: [{ field: 'n' }], offset: 6, limit: 3 });
    expect(page.data.map((row) => row.n)).toEqual([6, 7, 8]);
    expect(
      (await query({ sort: [{ field: 'n' }], limit: 3, cursor: page.page.nextCursor })).data.map((row) => row.n),
    ).toEqual([9]);
    expect((await query({ offset: 1000 })).data).toEqual([]);
  });

  it('looks up many ids in one request', async () => {
    const ids = await insert(Array.from({ length: 300 }, (_, n) => ({ n })));
    const page = await query({ ids });
    expect(page.data).toHaveLength(300);
    expect(page.page.nextCursor).toBeNull();
    expect((await query({ ids: [] })).data).toEqual([]);
    expect((await query({ ids: [ids[0], '0198c0de-0000-7000-8000-00000000000a'] })).data).toHaveLength(1);
    expect((await query({ ids: ids.slice(0, 3), filter: { n: { gt: 0 } } })).data).toHaveLength(2);
  });

  it('answers only the fields that were asked for, and the id', async () => {
    await insert([{ n: 1, g: 'x', m: 2 }]);
    expect(Object.keys((await query({ fields: ['g'], sort: [{ field: 'n' }] })).data[0]!).sort()).toEqual(['g', 'id']);
    expect(Object.keys((await query({ fields: ['createdAt'] })).data[0]!).sort()).toEqual(['createdAt', 'id']);
  });

  it('counts by filter', async () => {
    await insert(Array.from({ length: 20 }, (_, n) => ({ n })));
    expect((await owner.post(`${data}/count`, {})).body.data).toEqual({ count: 20 });
    expect((await owner.post(`${data}/count`, { filter: { n: { lt: 5 } } })).body.data).toEqual({ count: 5 });
    expect((await owner.post(`${data}/count`, { filter: { not: { n: { lt: 5 } } } })).body.data).toEqual({ count: 15 });
  });

  it('orders strings by code point', async () => {
    await insert(['b', 'a', 'B', 'é', '\uffee', '\u{1f600}', ''].map((g) => ({ g })));
    expect((await query({ sort: [{ field: 'g' }] })).data.map((row) => row.g)).toEqual([
      '',
      'B',
      'a',
      'b',
      'é',
      '\uffee',
      '\u{1f600}',
    ]);
  });

  it.each([
    [{ limit: 0 }],
    [{ limit: 1001 }],
    [{ limit: -1 }],
    [{ limit: '5;--' }],
    [{ offset: -1 }],
    [{ offset: 9e18 }],
    [{ cursor: 'nonsense' }],
    [{ cursor: 'WyJ4Il0' }],
    [{ sort: [{ field: 'nope' }] }],
    [{ sort: [{ field: 'n', direction: 'up' }] }],
    [{ sort: [{ field: 'n"; drop' }] }],
    [{ fields: ['nope'] }],
    [{ fields: ['N'] }],
    [{ ids: ['x'] }],
    [{ filter: [] }],
    [{ unknown: 1 }],
    [{ sort: [{ field: 'n' }, { field: 'n' }] }],
  ])('refuses %j', async (body) => {
    const reply = await owner.post(`${data}/query`, body);
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('answers large records on several pages', async () => {
    data = await newDataset([{ name: 'body', type: 'text' }]);
    for (let i = 0; i < 3; i += 1) {
      const records = Array.from({ length: 8 }, () => ({ body: 'z'.repeat(1_000_000) }));
      expect((await owner.post(`${data}/insert`, { records })).status).toBe(200);
    }
    const found = await pages({ limit: 1000 });
    expect(found.length).toBeGreaterThan(1);
    expect(new Set(found.flat().map((row) => row.id)).size).toBe(24);
  });

  it('pages by texts that are longer than a cursor, and by those that begin alike', async () => {
    data = await newDataset([
      { name: 'body', type: 'text' },
      { name: 'other', type: 'string' },
    ]);
    const long = 'é'.repeat(5000);
    const records = Array.from({ length: 12 }, (_, n) => ({
      body: `${String.fromCharCode(97 + (n % 6))}\u{1f600}${long}${n}`,
      ...(n % 3 === 0 ? {} : { other: long }),
    }));
    expect((await owner.post(`${data}/insert`, { records })).status).toBe(200);
    for (const sort of [
      [{ field: 'body' }],
      [{ field: 'body', direction: 'desc' }],
      [{ field: 'other' }, { field: 'body', direction: 'desc' }],
      [{ field: 'other', direction: 'desc' }],
    ]) {
      const found = (await pages({ limit: 5, sort })).flat();
      expect(new Set(found.map((row) => row.id)).size).toBe(12);
      if (sort[0]!.field === 'body') {
        const starts = found.map((row) => (row.body as string)[0]);
        expect(starts).toEqual(sort[0]!.direction === 'desc' ? [...starts].sort().reverse() : [...starts].sort());
      }
    }
  });

  it('loses nothing where large records meet the nulls of an order', async () => {
    data = await newDataset([
      { name: 'body', type: 'text' },
      { name: 'extra', type: 'json' },
      { name: 'n', type: 'integer' },
    ]);
    const text = '\u{1f600}'.repeat(200_000);
    for (let n = 0; n < 9; n += 1) {
      const record = { body: text, extra: { list: [text.slice(0, 1000)] }, ...(n < 5 ? { n } : {}) };
      expect((await owner.post(`${data}/insert`, { records: [record] })).status).toBe(200);
    }
    for (const direction of ['asc', 'desc']) {
      const found = await pages({ limit: 1000, sort: [{ field: 'n', direction }] });
      expect(found.length).toBeGreaterThan(1);
      const numbers = found.flat().map((row) => row.n ?? null);
      const expected = [0, 1, 2, 3, 4, null, null, null, null];
      expect(numbers).toEqual(direction === 'asc' ? expected : expected.reverse());
    }
  });

  it('refuses the cursor of another order', async () => {
    await insert(Array.from({ length: 5 }, (_, n) => ({ n })));
    const { nextCursor } = (await query({ limit: 2, sort: [{ field: 'n' }] })).page;
    expect((await owner.post(`${data}/query`, { limit: 2, cursor: nextCursor })).status).toBe(400);
    expect(
      (await owner.post(`${data}/query`, { limit: 2, cursor: nextCursor, offset: 1, sort: [{ field: 'n' }] })).status,
    ).toBe(400);
  });
});
