import { type Client, type TestSpace, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

const fields = [
  { name: 'title', type: 'string', required: true },
  { name: 'year', type: 'integer', indexed: true },
];

describe('datasets', () => {
  let space: TestSpace;
  let owner: Client;

  beforeAll(async () => {
    space = await platform.newSpace();
    owner = space.owner;
  });

  const create = (body: object = {}) => owner.post('/datasets', { name: 'Books', schema: { fields }, ...body });

  it('creates, reads, changes and deletes', async () => {
    const created = await create({ description: 'All of them' });
    expect(created.status).toBe(201);
    const dataset = created.body.data;
    expect(dataset).toMatchObject({
      name: 'Books',
      description: 'All of them',
      schema: { fields },
      recordCount: 0,
      version: 1,
      createdBy: owner.identity.userId,
    });
    expect(Object.keys(dataset).sort()).toEqual([
      'createdAt',
      'createdBy',
      'description',
      'id',
      'name',
      'recordCount',
      'schema',
      'updatedAt',
      'version',
    ]);
    expect((await owner.get(`/datasets/${dataset.id}`)).body.data).toEqual(dataset);
    const renamed = await owner.patch(`/datasets/${dataset.id}`, { name: 'Novels', description: null });
    expect(renamed.body.data).toMatchObject({ name: 'Novels', description: null, version: 2 });
    const { schema, updatedAt } = renamed.body.data;
    for (const same of [{}, { schema }, { name: 'Novels', description: null }]) {
      const unchanged = await owner.patch(`/datasets/${dataset.id}`, same);
      expect([unchanged.status, unchanged.body.data]).toMatchObject([200, { name: 'Novels', version: 2, updatedAt }]);
    }
    const deleted = await owner.delete(`/datasets/${dataset.id}`);
    expect([deleted.status, deleted.body.data]).toEqual([200, { id: dataset.id, deleted: true }]);
    expect((await owner.get(`/datasets/${dataset.id}`)).status).toBe(404);
    expect((await owner.delete(`/datasets/${dataset.id}`)).status).toBe(404);
    expect((await owner.post(`/datasets/${dataset.id}/data/query`, {})).status).toBe(404);
  });

  it('lists the newest first, in pages, only of the own Space', async () => {
    const other = await platform.newSpace();
    const names = ['one', 'two', 'three'];
    for (const name of names) await other.owner.post('/datasets', { name, schema: { fields } });
    const first = await other.owner.get('/datasets?limit=2');
    expect(first.body.data.map((row: { name: string }) => row.name)).toEqual(['three', 'two']);
    const second = await other.owner.get(`/datasets?limit=2&cursor=${first.body.page.nextCursor}`);
    expect([second.body.data.map((row: { name: string }) => row.name), second.body.page]).toEqual([
      ['one'],
      { limit: 2, nextCursor: null },
    ]);
    expect((await other.owner.get('/datasets?q=TW')).body.data).toHaveLength(1);
    expect((await other.owner.get('/datasets?limit=101')).status).toBe(400);
    expect((await other.owner.get('/datasets?cursor=junk')).status).toBe(400);
  });

  it('creates once for one idempotency key', async () => {
    const headers = { 'idempotency-key': 'books-1' };
    const first = await owner.post('/datasets', { name: 'Once', schema: { fields } }, { headers });
    const again = await owner.post('/datasets', { name: 'Once', schema: { fields } }, { headers });
    expect([again.status, again.body.data.id, again.headers['idempotency-replayed']]).toEqual([
      201,
      first.body.data.id,
      'true',
    ]);
  });

  it.each<[string, object, string]>([
    ['a name with a hyphen', { name: 'a-b', type: 'string' }, 'schema.fields[0].name'],
    ['a name that begins with a digit', { name: '1a', type: 'string' }, 'schema.fields[0].name'],
    ['a quoted name', { name: 'a"; drop table datasets; --', type: 'string' }, 'schema.fields[0].name'],
    ['a reserved name', { name: 'createdAt', type: 'string' }, 'schema.fields[0].name'],
    ['a combinator as a name', { name: 'and', type: 'string' }, 'schema.fields[0].name'],
    ['a prototype name', { name: 'constructor', type: 'string' }, 'schema.fields[0].name'],
    ['an unknown type', { name: 'a', type: 'varchar' }, 'schema.fields[0].type'],
    ['a type of SQL', { name: 'a', type: 'text; drop table datasets' }, 'schema.fields[0].type'],
    ['an unknown option', { name: 'a', type: 'string', primary: true }, 'schema.fields[0].primary'],
    ['a default of another type', { name: 'a', type: 'integer', default: 'x' }, 'schema.fields[0].default'],
    [
      'a default outside its enum',
      { name: 'a', type: 'string', enum: ['x'], default: 'y' },
      'schema.fields[0].default',
    ],
    ['an enum of another type', { name: 'a', type: 'integer', enum: [1, 'x'] }, 'schema.fields[0].enum[1]'],
    ['full text on a number', { name: 'a', type: 'integer', fullText: true }, 'schema.fields[0].fullText'],
    ['vectors on json', { name: 'a', type: 'json', vector: true }, 'schema.fields[0].vector'],
    ['unique json', { name: 'a', type: 'json', unique: true }, 'schema.fields[0].unique'],
  ])('refuses %s', async (_name, field, path) => {
    const reply = await create({ schema: { fields: [field] } });
    expect([reply.status, reply.body.code, reply.body.details[0].path]).toEqual([400, 'VALIDATION_ERROR', path]);
  });

  it('refuses two fields of one name, and more than 100', async () => {
    expect((await create({ schema: { fields: [fields[0], fields[0]] } })).body.details[0].path).toBe(
      'schema.fields[1].name',
    );
    const many = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `f${i}`, type: 'string' }));
    expect((await create({ schema: { fields: many(101) } })).status).toBe(400);
    expect((await create({ schema: { fields: many(100) } })).status).toBe(201);
  });

  it('takes names of 63 characters that differ in case only', async () => {
    const long = 'a'.repeat(63);
    const created = await create({
      schema: {
        fields: [
          { name: long, type: 'string' },
          { name: long.toUpperCase(), type: 'string' },
          { name: 'select', type: 'string' },
        ],
      },
    });
    expect(created.status).toBe(201);
    const data = `/datasets/${created.body.data.id}/data`;
    await owner.post(`${data}/insert`, {
      records: [{ [long]: 'lower', [long.toUpperCase()]: 'upper', select: 'word' }],
    });
    expect((await owner.post(`${data}/query`, { filter: { [long]: 'lower' } })).body.data[0]).toMatchObject({
      [long]: 'lower',
      [long.toUpperCase()]: 'upper',
      select: 'word',
    });
  });

  it('adds optional fields while records stay', async () => {
    const { id } = (await create()).body.data;
    await owner.post(`/datasets/${id}/data/insert`, { records: [{ title: 'old', year: 1 }] });
    const added = { name: 'tags', type: 'string[]', indexed: true };
    const words = { name: 'body', type: 'text', fullText: true, default: 'none' };
    const patched = await owner.patch(`/datasets/${id}`, { schema: { fields: [added, ...fields, words] } });
    expect([patched.status, patched.body.data.version]).toEqual([200, 2]);
    expect(patched.body.data.schema).toEqual({ fields: [added, ...fields, words] });
    await owner.post(`/datasets/${id}/data/insert`, { records: [{ title: 'new', tags: ['a'] }] });
    const rows = (await owner.post(`/datasets/${id}/data/query`, { sort: [{ field: 'title' }] })).body.data;
    expect(rows.map(({ title, tags, body }: Record<string, unknown>) => ({ title, tags, body }))).toEqual([
      { title: 'new', tags: ['a'], body: 'none' },
      { title: 'old' },
    ]);
    expect((await owner.post(`/datasets/${id}/data/full-text-search`, { query: 'none' })).body.data).toHaveLength(1);
  });

  it.each<[string, object[]]>([
    ['leaving a field out', [fields[0]!]],
    ['changing a type', [fields[0]!, { ...fields[1], type: 'number' }]],
    ['changing an option', [fields[0]!, { ...fields[1], unique: true }]],
    ['adding a required field', [...fields, { name: 'isbn', type: 'string', required: true }]],
    ['renaming a field', [fields[0]!, { ...fields[1], name: 'Year' }]],
  ])('refuses %s', async (_name, changed) => {
    const { id } = (await create()).body.data;
    const reply = await owner.patch(`/datasets/${id}`, { schema: { fields: changed } });
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect((await owner.get(`/datasets/${id}`)).body.data.version).toBe(1);
  });

  it('refuses what a body must not carry', async () => {
    for (const extra of [{ id: 'x' }, { spaceId: 'x' }, { recordCount: 5 }, { createdBy: 'x' }])
      expect((await create(extra)).status).toBe(400);
    expect((await owner.post('/datasets', { name: 'No schema' })).status).toBe(400);
    expect((await create({ name: '' })).status).toBe(400);
  });

  it('answers 400 for a malformed id, 404 for an unknown one', async () => {
    expect((await owner.get('/datasets/nonsense')).status).toBe(400);
    expect((await owner.get('/datasets/0198c0de-0000-7000-8000-00000000000a')).status).toBe(404);
  });

  it('lets a viewer read, and not create, change or delete', async () => {
    const viewer = await space.member('VIEWER');
    const { id } = (await create()).body.data;
    expect((await viewer.get(`/datasets/${id}`)).status).toBe(200);
    expect((await viewer.get('/datasets')).status).toBe(200);
    expect((await viewer.post('/datasets', { name: 'x', schema: { fields } })).status).toBe(403);
    expect((await viewer.patch(`/datasets/${id}`, { name: 'x' })).status).toBe(403);
    expect((await viewer.delete(`/datasets/${id}`)).status).toBe(403);
  });

  it('protects the table of every dataset as it does every other', async () => {
    await create();
    const bare = await platform.database.query(
      `select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'dataset' and c.relkind = 'r' and (not c.relrowsecurity or not c.relforcerowsecurity)
         and exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'space_id')
         -- Of the platform: their rows say which Space they came from.
         and c.relname not in ('dead_letter', 'lost_work')`,
    );
    expect(bare).toEqual([]);
  });
});
