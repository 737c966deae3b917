import type { JsonObject } from '@switchyard/kernel';
import { type Client, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

const fields = [
  { name: 'title', type: 'string' },
  { name: 'body', type: 'text' },
  { name: 'count', type: 'integer' },
  { name: 'ratio', type: 'number' },
  { name: 'price', type: 'decimal' },
  { name: 'open', type: 'boolean' },
  { name: 'day', type: 'date' },
  { name: 'at', type: 'datetime' },
  { name: 'ref', type: 'uuid' },
  { name: 'extra', type: 'json' },
  { name: 'tags', type: 'string[]' },
];

const exact: [string, unknown][] = [
  ['title', ''],
  ['title', '東京 \u{1f600} "quoted" \\ back\nslash'],
  ['body', 'lines\n\tand\r\nblanks  '],
  ['count', 0],
  ['count', Number.MAX_SAFE_INTEGER],
  ['count', -Number.MAX_SAFE_INTEGER],
  ['ratio', 0.1],
  ['ratio', 5e-324],
  ['ratio', 1.7976931348623157e308],
  ['price', '12.50'],
  ['price', '-0.000000000000000000000000000001'],
  ['price', '123456789012345678901234567890.123456789'],
  ['open', false],
  ['day', '0001-01-01'],
  ['day', '2024-02-29'],
  ['at', '2026-01-31T08:00:00.000Z'],
  ['at', '1969-12-31T23:59:59.999Z'],
  ['at', '2026-01-31T08:00:00.123456Z'],
  ['at', '9999-12-31T23:59:59.999Z'],
  ['ref', '0198c0de-0000-7000-8000-00000000000a'],
  ['extra', { a: [1, 2.5, null, { b: 'c' }], lc: 1, type: 'constructor' }],
  ['extra', []],
  ['extra', 'text'],
  ['extra', 1e21],
  ['tags', []],
  ['tags', ['a', '', 'null', 'with, comma', '{brace}', '"']],
];

const refused: [string, unknown][] = [
  ['title', 5],
  ['title', ['x']],
  ['count', 1.5],
  ['count', '1'],
  ['count', 9007199254740992],
  ['ratio', '0.1'],
  ['price', 12.5],
  ['price', '1e5'],
  ['price', '01'],
  ['price', 'NaN'],
  ['open', 'true'],
  ['open', 0],
  ['day', '2023-02-29'],
  ['day', '2026-1-1'],
  ['at', '2026-01-31'],
  ['at', '2026-01-31T08:00:00'],
  ['at', '2026-01-31T25:00:00Z'],
  ['ref', 'not-a-uuid'],
  ['tags', 'a'],
  ['tags', [1]],
  ['unknown', 1],
  ['Title', 'wrong case'],
  ['id', '0198c0de-0000-7000-8000-00000000000a'],
  ['createdAt', '2026-01-31T08:00:00.000Z'],
];

const bare = ({ id: _, createdAt: __, updatedAt: ___, ...rest }: JsonObject): JsonObject => rest;

describe('field types', () => {
  let owner: Client;
  let data: string;

  beforeAll(async () => {
    owner = (await platform.newSpace()).owner;
    const created = await owner.post('/datasets', { name: 'All types', schema: { fields } });
    expect(created.status).toBe(201);
    expect(created.body.data.schema).toEqual({ fields });
    data = `/datasets/${created.body.data.id}/data`;
  });

  it.each(exact)('%s reads back as it was written: %j', async (field, value) => {
    const inserted = await owner.post(`${data}/insert`, { records: [{ [field]: value }] });
    expect(inserted.status).toBe(200);
    const read = await owner.post(`${data}/query`, { ids: inserted.body.data.ids });
    expect(bare(read.body.data[0])).toEqual({ [field]: value });
  });

  it('keeps a text of 900,000 characters', async () => {
    const body = 'lorem ipsum '.repeat(75_000);
    const inserted = await owner.post(`${data}/insert`, { records: [{ body }] });
    const read = await owner.post(`${data}/query`, { ids: inserted.body.data.ids });
    expect(read.body.data[0].body).toBe(body);
  });

  it('tells a missing field from a null one', async () => {
    const inserted = await owner.post(`${data}/insert`, {
      records: [{ title: 'none' }, { title: 'nulls', count: null, extra: null }],
    });
    const { ids } = inserted.body.data;
    const read = await owner.post(`${data}/query`, { ids, sort: [{ field: 'title' }] });
    expect(read.body.data.map(bare)).toEqual([{ title: 'none' }, { title: 'nulls', count: null, extra: null }]);
    const find = async (filter: object): Promise<string[]> =>
      (await owner.post(`${data}/query`, { ids, filter })).body.data.map((record: JsonObject) => record.title);
    expect(await find({ count: null })).toEqual(['nulls']);
    expect(await find({ count: { exists: false } })).toEqual(['none']);
    expect(await find({ count: { exists: true } })).toEqual(['nulls']);
    expect(await find({ count: { ne: null } })).toEqual(['none']);
  });

  it('keeps times that came with an offset in UTC', async () => {
    const inserted = await owner.post(`${data}/insert`, { records: [{ at: '2026-01-31T10:00:00+02:00' }] });
    const read = await owner.post(`${data}/query`, { ids: inserted.body.data.ids });
    expect(read.body.data[0].at).toBe('2026-01-31T08:00:00.000Z');
  });

  it.each(refused)('refuses %s: %j, naming record and field', async (field, value) => {
    const before = (await owner.post(`${data}/count`, {})).body.data.count;
    const reply = await owner.post(`${data}/insert`, { records: [{ title: 'good' }, { [field]: value }] });
    expect(reply.status).toBe(400);
    expect(reply.body.code).toBe('VALIDATION_ERROR');
    expect(reply.body.details[0].path).toBe(`records[1].${field}`);
    expect((await owner.post(`${data}/count`, {})).body.data.count).toBe(before);
  });
});
