import { type Client, type Reply, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { shownSql } from '../src/db/sql/record-reads';
import { type Layout, tableOf } from '../src/domain/table-layout';

const platform = usePlatform();

const fields = [
  { name: 'sku', type: 'string', unique: true },
  { name: 'n', type: 'integer' },
];
const NDJSON = { headers: { 'content-type': 'application/x-ndjson' } };
const CSV = { headers: { 'content-type': 'text/csv' } };
/** More than are written while the caller waits. */
const LARGE = 50_001;

const lines = (count: number): Buffer =>
  Buffer.from(Array.from({ length: count }, (_, n) => `{"sku":"s${n}","n":${n}}\n`).join(''));

describe('large imports', () => {
  let space: TestSpace;
  let owner: Client;
  let datasetId: string;
  let path: string;

  beforeAll(async () => {
    space = await platform.newSpace();
    owner = space.owner;
  });

  beforeEach(async () => {
    datasetId = (await owner.post('/datasets', { name: 'Large', schema: { fields } })).body.data.id;
    path = `/datasets/${datasetId}`;
  });

  const count = async (): Promise<number> => (await owner.post(`${path}/data/count`, {})).body.data.count;
  /** With staged records. */
  const inTable = async (): Promise<number> => {
    const [row] = await platform.database.query<{ n: number }>(
      `select count(*)::int as n from dataset.${tableOf(datasetId)}`,
    );
    return row!.n;
  };
  const job = async (id: string) => (await owner.get(`${path}/imports/${id}`)).body.data;
  const ended = (id: string) =>
    until(
      async () => {
        const now = await job(id);
        return ['SUCCEEDED', 'FAILED', 'CANCELLED'].includes(now.phase) && now;
      },
      { timeoutMs: 60_000 },
    );
  /** Keeps all writes to the dataset waiting until it is let go. */
  const hold = (): Promise<() => Promise<void>> =>
    platform.database.hold(`lock table dataset.${tableOf(datasetId)} in share mode`);

  /** For how many records the database plans that are not hidden, once it knows what is in the table. */
  const planned = async (): Promise<number> => {
    await platform.database.query(`analyze dataset.${tableOf(datasetId)}`);
    const shown = shownSql({ hasPieces: true, datasetId } as Layout).replace('$1', `'${space.id}'`);
    const [row] = await platform.database.query<Record<string, [{ Plan: { 'Plan Rows': number } }]>>(
      `explain (format json) select from dataset.${tableOf(datasetId)} r where ${shown.replace('hidden_imports', 'dataset.hidden_imports')}`,
    );
    return row!['QUERY PLAN']![0].Plan['Plan Rows'];
  };

  it('become a job that says how far it is, and show all of their records at once', async () => {
    const accepted = await owner.post(`${path}/import`, lines(LARGE), NDJSON);
    expect([accepted.status, accepted.body.data]).toEqual([
      202,
      expect.objectContaining({ phase: 'QUEUED', progress: 0, records: LARGE, inserted: 0, error: null }),
    ]);
    const { id } = accepted.body.data;
    const seen = new Set<number>();
    const progress: number[] = [];
    const end = await until(
      async () => {
        seen.add(await count());
        const now = await job(id);
        progress.push(now.progress);
        return now.phase === 'SUCCEEDED' && now;
      },
      { timeoutMs: 60_000 },
    );
    expect([...seen].filter((n) => n !== 0 && n !== LARGE)).toEqual([]);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    expect(end).toMatchObject({ progress: 100, inserted: LARGE, createdBy: owner.identity.userId });
    expect(await count()).toBe(LARGE);
    const last = await owner.post(`${path}/data/query`, { filter: { sku: `s${LARGE - 1}` } });
    expect(last.body.data[0].n).toBe(LARGE - 1);
    const listed = await owner.get(`${path}/imports`);
    expect(listed.body.data.map((item: { id: string }) => item.id)).toEqual([id]);
    expect((await owner.post(`${path}/imports/${id}/cancel`, {})).body.code).toBe('JOB_FINISHED');
    // Planned for one record, a page of 50 would read and sort all of them.
    expect(await planned()).toBeGreaterThan(LARGE / 10);
  });

  it('say what was wrong with a line before they are accepted', async () => {
    const csv = Buffer.from(`sku,n\n${Array.from({ length: LARGE }, (_, n) => `s${n},${n}`).join('\n')}\nlast,x\n`);
    const refused = await owner.post(`${path}/import`, csv, CSV);
    expect([refused.status, refused.body.details[0].path]).toEqual([400, `line ${LARGE + 2}.n`]);
    expect((await owner.get(`${path}/imports`)).body.data).toEqual([]);
  });

  it('import nothing when a value is there already, and say so', async () => {
    await owner.post(`${path}/data/insert`, { records: [{ sku: `s${LARGE - 2}` }] });
    const accepted = await owner.post(`${path}/import`, lines(LARGE), NDJSON);
    expect(accepted.status).toBe(202);
    const end = await ended(accepted.body.data.id);
    expect([end.phase, end.error.code, end.inserted]).toEqual(['FAILED', 'CONFLICT', 0]);
    expect(end.error.message).toContain(`line ${LARGE - 1}: sku is unique`);
    expect(end.error.message).not.toContain('onConflict');
    expect(await count()).toBe(1);
  });

  it('leave nothing behind when they fail: the same file can be imported as soon as nothing is in its way', async () => {
    const [id] = (await owner.post(`${path}/data/insert`, { records: [{ sku: `s${LARGE - 2}` }] })).body.data.ids;
    const failed = await ended((await owner.post(`${path}/import`, lines(LARGE), NDJSON)).body.data.id);
    expect([failed.phase, await inTable()]).toEqual(['FAILED', 1]);
    await owner.post(`${path}/data/delete`, { ids: [id] });
    const again = await ended((await owner.post(`${path}/import`, lines(LARGE), NDJSON)).body.data.id);
    expect([again.phase, await count(), await inTable()]).toEqual(['SUCCEEDED', LARGE, LARGE]);
    const parts = async (): Promise<unknown[]> =>
      platform.database.query(
        `select 1 from dataset.import_parts p join dataset.imports i on i.id = p.import_id where i.dataset_id = $1 limit 1`,
        [datasetId],
      );
    await until(async () => (await parts()).length === 0, { timeoutMs: 60_000 });
  });

  it('are written in pieces that no reader and no writer sees before the last', async () => {
    // A value that another transaction has taken, and may give back, in the middle of the file.
    const taken = `insert into dataset.${tableOf(datasetId)} (space_id, id, created_at, updated_at, c1)
      values ('${space.id}', gen_random_uuid(), now(), now(), 's${LARGE - 10_000}')`;
    const letGo = await platform.database.hold(taken);
    let id = '';
    try {
      id = (await owner.post(`${path}/import`, lines(LARGE), NDJSON)).body.data.id;
      await until(async () => (await inTable()) > LARGE / 2, { timeoutMs: 60_000 });
      const now = await job(id);
      expect([now.phase, now.inserted, now.progress > 0]).toEqual(['RUNNING', 0, true]);
      expect(await count()).toBe(0);
      expect((await owner.post(`${path}/data/count`, { filter: { n: { gte: 0 } } })).body.data.count).toBe(0);
      expect((await owner.post(`${path}/data/query`, { filter: { sku: 's1' } })).body.data).toEqual([]);
      expect((await owner.get(`${path}/export`)).body ?? '').toBe('');
      const [hidden] = await platform.database.query<{ id: string }>(
        `select id from dataset.${tableOf(datasetId)} where c1 = 's1'`,
      );
      expect((await owner.post(`${path}/data/query`, { ids: [hidden!.id] })).body.data).toEqual([]);
      expect((await owner.post(`${path}/data/update`, { all: true, set: { n: 7 } })).body.data.updated).toBe(0);
      expect((await owner.post(`${path}/data/delete`, { all: true })).body.data.deleted).toBe(0);
      const conflict = await owner.post(`${path}/data/insert`, { records: [{ sku: 's1' }] });
      expect([conflict.status, conflict.body.code]).toEqual([409, 'CONFLICT']);
    } finally {
      await letGo();
    }
    expect(await ended(id)).toMatchObject({ phase: 'SUCCEEDED', inserted: LARGE });
    expect([await count(), await inTable()]).toEqual([LARGE, LARGE]);
    const first = await owner.post(`${path}/data/query`, { filter: { sku: 's1' } });
    expect(first.body.data[0].n).toBe(1);
  });

  it('stop when they are cancelled, and leave nothing', async () => {
    const letGo = await hold();
    const accepted = await owner.post(`${path}/import`, lines(LARGE), NDJSON);
    const { id } = accepted.body.data;
    const first = await owner.post(`${path}/imports/${id}/cancel`, {}).finally(letGo);
    expect([first.status, ['CANCELLING', 'CANCELLED'].includes(first.body.data.phase)]).toEqual([200, true]);
    const end = await ended(id);
    expect([end.phase, end.inserted]).toEqual(['CANCELLED', 0]);
    expect((await owner.post(`${path}/imports/${id}/cancel`, {})).status).toBe(200);
    expect(await count()).toBe(0);
  });

  it('do not keep other writers of the dataset waiting', async () => {
    const accepted = await owner.post(`${path}/import`, lines(LARGE), NDJSON);
    const replies: Reply[] = [];
    await until(
      async () => {
        const writes = Array.from({ length: 8 }, (_, n) => owner.post(`${path}/data/insert`, { records: [{ n: -n }] }));
        replies.push(...(await Promise.all(writes)));
        return (await job(accepted.body.data.id)).phase === 'SUCCEEDED';
      },
      { timeoutMs: 60_000, everyMs: 200 },
    );
    for (const reply of replies) expect([reply.status, reply.body.code]).toEqual([200, undefined]);
    expect(await count()).toBe(LARGE + replies.length);
  });

  it('of one Space do not keep the workers from another Space', async () => {
    const WAITING = 40;
    const enqueue = (spaceId: string, target: string, age: number) =>
      platform.database.query<{ id: string }>(
        `with job as (
           insert into dataset.imports (space_id, id, dataset_id, format, phase, parts, staged, due_at)
           values ($1, gen_random_uuid(), $2, 'ndjson', 'QUEUED', 1, 1, clock_timestamp() - make_interval(secs => $3))
           returning space_id, id)
         insert into dataset.import_parts (space_id, import_id, part, rows)
         select space_id, id, 0, jsonb_build_array(jsonb_build_object('id', gen_random_uuid(), 'values', jsonb_build_object('c2', 1)))
         from job returning import_id as id`,
        [spaceId, target, age],
      );
    const victim = await platform.newSpace();
    const other = (await victim.owner.post('/datasets', { name: 'Other', schema: { fields } })).body.data.id;
    const letGo = await hold();
    try {
      // More than can be tried while the other Space's import runs, however slow the machine is: each try waits for a
      // lock.
      for (let n = 0; n < WAITING; n += 1) await enqueue(space.id, datasetId, 3_600 - n);
      const [mine] = await enqueue(victim.id, other, 0);
      await until(
        async () => (await victim.owner.get(`/datasets/${other}/imports/${mine!.id}`)).body.data.phase === 'SUCCEEDED',
      );
      const [untried] = await platform.database.query<{ n: number }>(
        `select count(*)::int as n from dataset.imports where space_id = $1 and dataset_id = $2 and started_at is null`,
        [space.id, datasetId],
      );
      expect(untried!.n).toBeGreaterThan(0);
    } finally {
      await letGo();
    }
    await until(async () => (await count()) === WAITING, { timeoutMs: 90_000 });
  }, 150_000);

  it('are closed to viewers and to other Spaces', async () => {
    const { id } = (await owner.post(`${path}/import`, lines(LARGE), NDJSON)).body.data;
    const viewer = await space.member('VIEWER');
    expect((await viewer.get(`${path}/imports/${id}`)).status).toBe(200);
    expect((await viewer.post(`${path}/imports/${id}/cancel`, {})).status).toBe(403);
    const stranger = (await platform.newSpace()).owner;
    expect((await stranger.get(`${path}/imports/${id}`)).status).toBe(404);
    expect((await stranger.get(`${path}/imports`)).status).toBe(404);
    expect((await stranger.post(`${path}/imports/${id}/cancel`, {})).status).toBe(404);
    const other = `/datasets/${(await owner.post('/datasets', { name: 'Other', schema: { fields } })).body.data.id}`;
    expect((await owner.get(`${other}/imports/${id}`)).status).toBe(404);
    expect((await owner.get(`${path}/imports/0198c0de-0000-7000-8000-00000000000a`)).status).toBe(404);
    expect((await owner.get(`${path}/imports/nonsense`)).status).toBe(400);
    expect((await owner.get(`${path}/imports?limit=0`)).status).toBe(400);
    expect((await owner.get(`${path}/imports?cursor=nonsense`)).status).toBe(400);
    expect((await owner.post(`${path}/imports/${id}/cancel`, { force: true })).status).toBe(400);
    await ended(id);
  });
});
