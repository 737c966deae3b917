import type { Ceilings } from '@switchyard/contracts';
import { type Client, promised, type TestSpace, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

const NDJSON = { headers: { 'content-type': 'application/x-ndjson' } };

describe('the ceilings of what the datasets of a Space hold', () => {
  const open = async (
    ceilings: Partial<Ceilings>,
  ): Promise<{ space: TestSpace; owner: Client; newDataset: () => Promise<string> }> => {
    const space = await platform.newSpace();
    expect((await space.operator.patch(`/operator/spaces/${space.id}`, { ceilings })).status).toBe(200);
    const { owner } = space;
    const fields = [
      { name: 'sku', type: 'string', unique: true },
      { name: 'body', type: 'text' },
    ];
    const newDataset = async (): Promise<string> =>
      `/datasets/${(await owner.post('/datasets', { name: 'Stock', schema: { fields } })).body.data.id}`;
    return { space, owner, newDataset };
  };
  const records = (count: number, from = 0): { sku: string }[] =>
    Array.from({ length: count }, (_, n) => ({ sku: `s${from + n}` }));

  it('count the records of all datasets together, and are free again when records go', async () => {
    const { owner, newDataset } = await open({ records: 10 });
    const [first, second] = [await newDataset(), await newDataset()];
    expect((await owner.post(`${first}/data/insert`, { records: records(6) })).status).toBe(200);
    const refused = await owner.post(`${second}/data/insert`, { records: records(5) });
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
    expect(refused.body.message).toContain('`records`');
    expect((await owner.post(`${second}/data/insert`, { records: records(4) })).status).toBe(200);
    const lines = Buffer.from(`${JSON.stringify({ sku: 'x' })}\n`);
    expect((await owner.post(`${second}/import`, lines, NDJSON)).body.code).toBe('CONFLICT');
    const onConflict = { field: 'sku', action: 'UPDATE' };
    const upsert = (from: number) => owner.post(`${first}/data/insert`, { records: records(1, from), onConflict });
    expect((await upsert(0)).status).toBe(200);
    expect((await upsert(50)).body.code).toBe('CONFLICT');
    await owner.post(`${first}/data/delete`, { filter: { sku: 's0' } });
    expect((await owner.post(`${second}/import`, lines, NDJSON)).status).toBe(200);
    expect((await upsert(50)).body.code).toBe('CONFLICT');
  });

  it('are not passed by many inserts at once', async () => {
    const { owner, newDataset } = await open({ records: 25 });
    const paths = [await newDataset(), await newDataset()];
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, n) => owner.post(`${paths[n % 2]}/data/insert`, { records: records(1, n) })),
    );
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(25);
    expect(replies.every((reply) => reply.status === 200 || reply.body.code === 'CONFLICT')).toBe(true);
  });

  it('count bytes, also of what an update or a merge adds', async () => {
    const { owner, newDataset } = await open({ bytes: 10_000 });
    const path = await newDataset();
    expect((await owner.post(`${path}/data/insert`, { records: records(2) })).status).toBe(200);
    const update = (body: string) => owner.post(`${path}/data/update`, { all: true, set: { body } });
    expect((await update('x'.repeat(4000))).status).toBe(200);
    const refused = await update('x'.repeat(6000));
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
    expect(refused.body.message).toContain('`bytes`');
    const onConflict = { field: 'sku', action: 'UPDATE' };
    const merge = { records: [{ sku: 's1', body: 'x'.repeat(7000) }], onConflict };
    expect((await owner.post(`${path}/data/insert`, merge)).body.code).toBe('CONFLICT');
    expect((await update('short')).status).toBe(200);
    expect((await owner.post(`${path}/data/insert`, merge)).status).toBe(200);
    expect((await owner.post(`${path}/data/query`, { fields: ['sku', 'body'] })).body.data).toHaveLength(2);
  });

  it('allow nothing at 0', async () => {
    const { owner, newDataset } = await open({ records: 0 });
    expect((await owner.post(`${await newDataset()}/data/insert`, { records: records(1) })).body.code).toBe('CONFLICT');
  });

  it('hold one update to the bytes of its values times its records', async () => {
    const { owner, newDataset } = await open({});
    const path = await newDataset();
    await owner.post(`${path}/data/insert`, { records: records(1000) });
    const refused = await owner.post(`${path}/data/update`, { all: true, set: { body: 'x'.repeat(300_000) } });
    expect([refused.status, refused.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect((await owner.post(`${path}/data/count`, { filter: { body: { exists: true } } })).body.data.count).toBe(0);
  });

  it('hold within seconds when they are lowered, and what is stored is in the list of the operator within a minute', async () => {
    const { space, owner, newDataset } = await open({ records: 5 });
    const path = await newDataset();
    expect((await owner.post(`${path}/data/insert`, { records: records(3) })).status).toBe(200);
    await space.operator.patch(`/operator/spaces/${space.id}`, { ceilings: { records: 3 } });
    await until(
      async () => {
        const reply = await owner.post(`${path}/data/insert`, { records: [{ sku: 'one more' }] });
        if (reply.status === 200) await owner.post(`${path}/data/delete`, { filter: { sku: 'one more' } });
        return reply.body.code === 'CONFLICT';
      },
      { timeoutMs: promised(5000) },
    );
    const bytesStored = async (): Promise<number> =>
      (await space.operator.get(`/operator/spaces/${space.id}`)).body.data.bytesStored;
    await until(async () => (await bytesStored()) === 6, { timeoutMs: promised(60_000) });
    await owner.delete(path);
    await until(async () => (await bytesStored()) === 0, { timeoutMs: promised(60_000) });
  });
});
