import { type Client, type TestSpace, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

const MIB = 1024 * 1024;

describe('the size of what a dataset holds', () => {
  let space: TestSpace;
  let owner: Client;

  beforeAll(async () => {
    space = await platform.newSpace();
    owner = space.owner;
  });

  const create = async (fields: object[]): Promise<string> => {
    const made = await owner.post('/datasets', { name: 'Sizes', schema: { fields } });
    expect(made.status).toBe(201);
    return `/datasets/${made.body.data.id}`;
  };
  const countedBytes = async (path: string): Promise<number> => {
    const [row] = await platform.database.query<{ bytes: string }>(
      `select coalesce(sum(bytes), 0) as bytes from dataset.dataset_counts where dataset_id = $1`,
      [path.split('/')[2]],
    );
    return Number(row?.bytes);
  };
  const sumOfTexts = async (path: string): Promise<number> => {
    const { body } = await owner.post(`${path}/data/query`, { limit: 1000 });
    const records = body.data as { body?: string | null; extra?: object | null; n?: number | null }[];
    return records.reduce(
      (sum, { body: text, extra, n }) =>
        sum +
        Buffer.byteLength(text ?? '') +
        (extra ? JSON.stringify(extra).replaceAll(':', ': ').length : 0) +
        (n === null || n === undefined ? 0 : 8),
      0,
    );
  };

  it.each([
    ['a default over 4 KiB', { name: 'a', type: 'string', default: 'x'.repeat(4095) }, 'schema.fields[0].default'],
    [
      'values over 64 KiB',
      { name: 'a', type: 'string', enum: Array.from({ length: 700 }, (_, n) => `${n}`.padEnd(100)) },
      'schema.fields[0].enum',
    ],
  ])('refuses a field with %s, naming it', async (_what, field, path) => {
    const refused = await owner.post('/datasets', { name: 'Sizes', schema: { fields: [field] } });
    expect([refused.status, refused.body.code, refused.body.details[0].path]).toEqual([400, 'VALIDATION_ERROR', path]);
    const existing = await create([{ name: 'b', type: 'string' }]);
    const extended = await owner.patch(existing, { schema: { fields: [{ name: 'b', type: 'string' }, field] } });
    expect([extended.status, extended.body.details[0].path]).toEqual([400, path.replace('[0]', '[1]')]);
  });

  it('takes a default of 4 KiB', async () => {
    await create([{ name: 'a', type: 'string', default: 'x'.repeat(4094) }]);
  });

  it('refuses a record over 1 MiB by its place, when it is inserted, changed or imported', async () => {
    const path = await create([
      { name: 'key', type: 'string', unique: true },
      { name: 'body', type: 'text' },
      { name: 'more', type: 'text' },
    ]);
    const half = 'x'.repeat(MIB / 2);
    const tooLong = { body: half, more: half };
    const refusal = (path: string) => ({ status: 400, path: path });
    const outcome = async (pending: Promise<{ status: number; body: { details?: { path: string }[] } }>) => {
      const reply = await pending;
      return { status: reply.status, path: reply.body.details?.[0]?.path };
    };
    expect(await outcome(owner.post(`${path}/data/insert`, { records: [{ key: 'a' }, tooLong] }))).toEqual(
      refusal('records[1]'),
    );
    const onConflict = { field: 'key', action: 'UPDATE' };
    expect(
      await outcome(
        owner.post(`${path}/data/insert`, { records: [{ key: 'a' }, { key: 'b', ...tooLong }], onConflict }),
      ),
    ).toEqual(refusal('records[1]'));
    expect((await owner.post(`${path}/data/insert`, { records: [{ key: 'a', body: half }] })).status).toBe(200);
    const filter = { key: 'a' };
    expect(await outcome(owner.post(`${path}/data/update`, { filter, set: tooLong }))).toEqual(refusal('set'));
    expect(await outcome(owner.post(`${path}/data/update`, { filter, set: { more: `${half}!` } }))).toEqual(
      refusal('set'),
    );
    const merge = { records: [{ key: 'a', more: `${half}!` }], onConflict };
    expect(await outcome(owner.post(`${path}/data/insert`, merge))).toEqual(refusal('records'));
    const line = `${JSON.stringify(tooLong)}\n`;
    const imported = await owner.post(`${path}/import`, Buffer.from(line), {
      headers: { 'content-type': 'application/x-ndjson' },
    });
    expect([imported.status, imported.body.details[0].path]).toEqual([400, 'line 1']);
    const found = await owner.post(`${path}/data/query`, { fields: ['key', 'more'] });
    expect(found.body.data).toEqual([{ id: expect.any(String), key: 'a' }]);
  });

  it('refuses a batch over 10 MiB with its defaults, which is a request of a few kilobytes', async () => {
    const fields = Array.from({ length: 20 }, (_, n) => ({ name: `f${n}`, type: 'string', default: 'd'.repeat(4000) }));
    const path = await create(fields);
    const records = Array.from({ length: 1000 }, () => ({}));
    const refused = await owner.post(`${path}/data/insert`, { records });
    expect([refused.status, refused.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect((await owner.post(`${path}/data/insert`, { records: records.slice(0, 100) })).status).toBe(200);
    expect(await countedBytes(path)).toBe(100 * 20 * 4000);
  });

  it('bounds what one update writes: its values times the records that it changes', async () => {
    const path = await create([
      { name: 'n', type: 'integer' },
      { name: 'body', type: 'text' },
    ]);
    const records = Array.from({ length: 300 }, (_, n) => ({ n }));
    expect((await owner.post(`${path}/data/insert`, { records })).status).toBe(200);
    const set = { body: 'x'.repeat(900_000) };
    const refused = await owner.post(`${path}/data/update`, { all: true, set });
    expect([refused.status, refused.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const taken = await owner.post(`${path}/data/update`, { filter: { n: { lt: 2 } }, set });
    expect(taken).toMatchObject({ status: 200, body: { data: { updated: 2 } } });
  });

  it('is counted in bytes by every kind of write', async () => {
    const path = await create([
      { name: 'key', type: 'string', unique: true },
      { name: 'body', type: 'text' },
      { name: 'extra', type: 'json' },
      { name: 'n', type: 'integer' },
    ]);
    const keyBytes = async (): Promise<number> => {
      const { body } = await owner.post(`${path}/data/query`, { fields: ['key'], limit: 1000 });
      return (body.data as { key?: string | null }[]).reduce((sum, { key }) => sum + (key?.length ?? 0), 0);
    };
    const expectExact = async (): Promise<void> => {
      expect(await countedBytes(path)).toBe((await sumOfTexts(path)) + (await keyBytes()));
    };
    const long = 'é'.repeat(20_000);
    await owner.post(`${path}/data/insert`, {
      records: [{ key: 'a', body: long, extra: { a: 1 }, n: 1 }, { key: 'b' }],
    });
    await expectExact();
    await owner.post(`${path}/data/update`, { filter: { key: 'b' }, set: { body: 'short', n: 2 } });
    await owner.post(`${path}/data/update`, { filter: { key: 'a' }, set: { extra: null } });
    await expectExact();
    const onConflict = { field: 'key', action: 'UPDATE' };
    await owner.post(`${path}/data/insert`, {
      records: [
        { key: 'a', body: 'x' },
        { key: 'c', body: long },
      ],
      onConflict,
    });
    await expectExact();
    await owner.post(`${path}/import`, Buffer.from(`${JSON.stringify({ key: 'd', body: long })}\n`), {
      headers: { 'content-type': 'application/x-ndjson' },
    });
    await expectExact();
    await owner.post(`${path}/data/delete`, { filter: { key: ['a', 'd'] } });
    await expectExact();
    await owner.post(`${path}/data/delete`, { all: true });
    expect(await countedBytes(path)).toBe(0);
  });
});
