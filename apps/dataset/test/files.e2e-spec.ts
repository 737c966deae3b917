import { Agent, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { JsonObject } from '@switchyard/kernel';
import { type Client, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

const fields = [
  { name: 'sku', type: 'string', required: true, unique: true },
  { name: 'count', type: 'integer' },
  { name: 'price', type: 'decimal' },
  { name: 'open', type: 'boolean' },
  { name: 'at', type: 'datetime' },
  { name: 'extra', type: 'json' },
  { name: 'tags', type: 'string[]' },
];

const bare = ({ id: _, createdAt: __, updatedAt: ___, ...rest }: JsonObject): JsonObject => rest;
const NDJSON = { headers: { 'content-type': 'application/x-ndjson' } };
const CSV = { headers: { 'content-type': 'text/csv; charset=utf-8' } };

describe('datasets as files', () => {
  let owner: Client;
  let path: string;

  beforeAll(async () => {
    owner = (await platform.newSpace()).owner;
  });

  beforeEach(async () => {
    path = await newDataset();
  });

  const newDataset = async (): Promise<string> =>
    `/datasets/${(await owner.post('/datasets', { name: 'Files', schema: { fields } })).body.data.id}`;
  const importText = (text: string, options: { headers: Record<string, string> } = NDJSON) =>
    owner.post(`${path}/import`, Buffer.from(text), options);
  const rows = async (): Promise<JsonObject[]> =>
    (await owner.post(`${path}/data/query`, { sort: [{ field: 'sku' }], limit: 1000 })).body.data;
  const exported = async (from = path): Promise<{ text: string; headers: Record<string, string> }> => {
    const reply = await owner.get(`${from}/export`);
    expect(reply.status).toBe(200);
    return {
      text:
        typeof reply.body === 'string' ? reply.body : reply.body === undefined ? '' : `${JSON.stringify(reply.body)}\n`,
      headers: reply.headers,
    };
  };

  it('exports what was inserted and takes it back whole', async () => {
    const records = Array.from({ length: 700 }, (_, i) => ({
      sku: `s${String(i).padStart(4, '0')}`,
      count: i,
      price: `${i}.50`,
      open: i % 2 === 0,
      at: '2026-01-31T08:00:00.123Z',
      extra: { i, n: null, t: 'a\nb' },
      tags: ['x', `"${i}"`],
      ...(i % 3 === 0 ? { count: null } : {}),
    }));
    expect((await owner.post(`${path}/data/insert`, { records })).status).toBe(200);
    const { text, headers } = await exported();
    expect(headers['content-type']).toContain('application/x-ndjson');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as JsonObject);
    expect(lines.map(bare)).toEqual(records);
    path = await newDataset();
    const imported = await importText(text);
    expect([imported.status, imported.body.data]).toEqual([200, { inserted: 700 }]);
    const again = (await exported()).text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as JsonObject);
    expect(again.map(bare)).toEqual(records);
    expect(again[0]!.id).not.toBe(lines[0]!.id);
  });

  it('exports an empty dataset as nothing', async () => {
    expect((await exported()).text).toBe('');
  });

  it('imports CSV', async () => {
    const csv =
      'sku,count,price,open,at,extra,tags\r\na,5,1.50,true,2026-01-31T08:00:00.000Z,"{""a"": 1}","[""x"",""y""]"\r\n"b, with ""quotes""\nand a line",,,,,,\r\n';
    const reply = await importText(csv, CSV);
    expect([reply.status, reply.body.data]).toEqual([200, { inserted: 2 }]);
    expect((await rows()).map(bare)).toEqual([
      {
        sku: 'a',
        count: 5,
        price: '1.50',
        open: true,
        at: '2026-01-31T08:00:00.000Z',
        extra: { a: 1 },
        tags: ['x', 'y'],
      },
      { sku: 'b, with "quotes"\nand a line' },
    ]);
  });

  it.each<[string, string, { headers: Record<string, string> }, string]>([
    ['JSON that is none', '{"sku":"a"}\n{"sku":', NDJSON, 'line 2'],
    ['a line that is no object', '{"sku":"a"}\n\n[1]\n', NDJSON, 'line 3'],
    ['a value of another type', '{"sku":"a"}\n{"sku":"b","count":"x"}\n', NDJSON, 'line 2.count'],
    ['an unknown field', '{"sku":"a","nope":1}\n', NDJSON, 'line 1.nope'],
    ['a prototype name', '{"sku":"a","extra":{"__proto__":1}}\n', NDJSON, 'line 1'],
    ['a missing required field', '{"sku":"a"}\n{"count":1}\n', NDJSON, 'line 2.sku'],
    ['a CSV value of another type', 'sku,count\na,1\nb,x\n', CSV, 'line 3.count'],
    ['a CSV cell of broken JSON', 'sku,extra\na,1\nb,"{""a"": 1"\n', CSV, 'line 3.extra'],
    ['a CSV cell of a json field without quotes', 'sku,extra\na,hello\n', CSV, 'line 2.extra'],
    ['a CSV row of another width', 'sku,count\na,1\nb,2,3\n', CSV, 'line 3'],
    ['a CSV column that is there twice', 'sku,sku\na,1\n', CSV, 'line 1'],
    ['a CSV column that no record has', 'sku,__proto__\na,1\n', CSV, 'line 1.__proto__'],
    ['an unknown CSV column', 'sku,nope\na,1\n', CSV, 'line 2.nope'],
  ])('refuses %s by its line, and imports nothing', async (_name, text, options, where) => {
    const reply = await importText(text, options);
    expect([reply.status, reply.body.code, reply.body.details?.[0].path]).toEqual([400, 'VALIDATION_ERROR', where]);
    expect(await rows()).toEqual([]);
  });

  it.each([
    ['of a record', '{"sku":"new"}\n\n{"sku":"there"}\n', 3],
    ['of another line', '{"sku":"new"}\n{"sku":"b"}\n{"sku":"new"}\n', 3],
    ['of a line far above', Array.from({ length: 1500 }, (_, n) => `{"sku":"s${n % 1400}"}\n`).join(''), 1401],
  ])('names the line that has the unique value %s', async (_name, text, line) => {
    await owner.post(`${path}/data/insert`, { records: [{ sku: 'there' }] });
    const reply = await importText(text);
    expect([reply.status, reply.body.code, reply.body.details?.[0].path]).toEqual([
      409,
      'CONFLICT',
      `line ${line}.sku`,
    ]);
    expect(reply.body.message).not.toContain('onConflict');
    expect((await rows()).map(({ sku }) => sku)).toEqual(['there']);
  });

  it('refuses a compressed file by its encoding', async () => {
    const headers = { ...NDJSON.headers, 'content-encoding': 'gzip' };
    const reply = await owner.post(`${path}/import`, gzipSync('{"sku":"a"}\n'), { headers });
    expect([reply.status, reply.body.code, reply.body.message]).toEqual([
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the body without Content-Encoding.',
    ]);
  });

  it.each<[string, string, { headers: Record<string, string> }]>([
    ['NDJSON', '{"sku":"a"}\n{"sku":"', NDJSON],
    ['CSV', 'sku\na', CSV],
  ])('refuses %s that is not UTF-8', async (_name, text, options) => {
    const reply = await owner.post(`${path}/import`, Buffer.concat([Buffer.from(text), Buffer.from([0xff])]), options);
    expect([reply.status, reply.body.details?.[0]]).toEqual([
      400,
      { path: 'line 2', message: expect.stringContaining('UTF-8') },
    ]);
    expect(await rows()).toEqual([]);
  });

  it.each<[string, string, { headers: Record<string, string> }]>([
    ['JSON that is none', 'no JSON\n', NDJSON],
    ['an unknown field', '{"nope":1}\n'.repeat(600), NDJSON],
    ['a CSV row of another width', 'sku\na,b\nc,d\ne,f\n', CSV],
    ['a CSV column that no record has', '__proto__\na\nb\nc\nd\n', CSV],
  ])('answers the next request of a connection on which %s was refused', async (_name, bad, options) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    /** The rest of the body is sent when the answer is there. */
    const send = (method: string, to: string, body: string, rest: Buffer): Promise<[number, unknown]> =>
      new Promise((resolve, reject) => {
        const headers = { ...options.headers, authorization: owner.authorization ?? '' };
        const sent = request(`${owner.host}/api${to}`, { agent, method, headers }, (reply) => {
          const { localPort } = reply.socket;
          if (body !== '') sent.end(rest);
          reply.resume().once('end', () => {
            resolve([reply.statusCode ?? 0, localPort]);
          });
        });
        sent.once('error', reject);
        if (body === '') sent.end();
        else sent.write(body);
      });
    for (const size of [1, 4 * 1024 * 1024]) {
      const [refused, connection] = await send('POST', `${path}/import`, bad, Buffer.alloc(size, 'x'));
      expect(refused).toBe(400);
      expect(await send('GET', path, '', Buffer.alloc(0))).toEqual([200, connection]);
    }
    agent.destroy();
  });

  it('imports nothing when the last of many lines is bad', async () => {
    const text = `${Array.from({ length: 2500 }, (_, i) => JSON.stringify({ sku: `s${i}` })).join('\n')}\n{"sku":1}`;
    const reply = await importText(text);
    expect([reply.status, reply.body.details[0].path]).toEqual([400, 'line 2501.sku']);
    expect((await owner.post(`${path}/data/count`, {})).body.data.count).toBe(0);
  });

  it('imports nothing when a unique value is there already', async () => {
    await owner.post(`${path}/data/insert`, { records: [{ sku: 's7' }] });
    const reply = await importText(Array.from({ length: 1200 }, (_, i) => JSON.stringify({ sku: `s${i}` })).join('\n'));
    expect([reply.status, reply.body.code]).toEqual([409, 'CONFLICT']);
    expect((await owner.post(`${path}/data/count`, {})).body.data.count).toBe(1);
  });

  it('takes a file that is larger than any other body may be', async () => {
    const line = `${JSON.stringify({ sku: 'x', extra: 'y'.repeat(100_000) })}\n`;
    const text = Array.from({ length: 150 }, (_, i) => line.replace('"x"', `"s${i}"`)).join('');
    expect(text.length).toBeGreaterThan(10 * 1024 * 1024);
    expect((await importText(text)).body.data).toEqual({ inserted: 150 });
    expect((await exported()).text.length).toBeGreaterThan(10 * 1024 * 1024);
  });

  it('takes back a record of the largest size', async () => {
    const text = 'y'.repeat(1024 * 1024 - JSON.stringify({ sku: 's', extra: { text: '' } }).length);
    const inserted = await owner.post(`${path}/data/insert`, { records: [{ sku: 's', extra: { text } }] });
    expect(inserted.body).toMatchObject({ success: true });
    const whole = (await exported()).text;
    path = await newDataset();
    expect((await importText(whole)).body).toMatchObject({ data: { inserted: 1 } });
    expect((await exported()).text.length).toBe(whole.length);
  });

  it('does not give a record that is older than a field the default of that field', async () => {
    await owner.post(`${path}/data/insert`, { records: [{ sku: 'old' }] });
    const later = [
      { name: 'state', type: 'string', default: 'draft' },
      { name: 'note', type: 'string' },
    ];
    expect((await owner.patch(path, { schema: { fields: [...fields, ...later] } })).status).toBe(200);
    const { text } = await exported();
    expect(bare(JSON.parse(text) as JsonObject)).toEqual({ sku: 'old', state: null });
    await owner.post(`${path}/data/delete`, { all: true });
    expect((await importText(`${text}{"sku": "new"}\n`)).status).toBe(200);
    expect((await rows()).map(bare)).toEqual([
      { sku: 'new', state: 'draft' },
      { sku: 'old', state: null },
    ]);
  });

  it('says in the OpenAPI document what it takes', async () => {
    const { paths } = (await owner.raw('GET', '/openapi.json')).body;
    expect(Object.keys(paths['/api/datasets/{datasetId}/import'].post.requestBody.content)).toEqual([
      'application/x-ndjson',
      'text/csv',
    ]);
  });

  it('answers 415 for other kinds of file and 400 for no file', async () => {
    expect((await importText('a', { headers: { 'content-type': 'application/pdf' } })).status).toBe(415);
    expect((await importText('{"sku":"a"}', { headers: { 'content-type': 'application/json' } })).status).toBe(415);
    const empty = await importText('');
    expect([200, 400]).toContain(empty.status);
  });

  it('is closed to viewers', async () => {
    const space = await platform.newSpace();
    const created = await space.owner.post('/datasets', { name: 'F', schema: { fields } });
    const viewer = await space.member('VIEWER');
    expect(
      (await viewer.post(`/datasets/${created.body.data.id}/import`, Buffer.from('{"sku":"a"}'), NDJSON)).status,
    ).toBe(403);
    expect((await viewer.get(`/datasets/${created.body.data.id}/export`)).status).toBe(200);
  });
});
