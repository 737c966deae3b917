import { newId } from '@switchyard/kernel';
import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { tableOf } from '../src/domain/table-layout';
import { ImportStage } from './import-stage';
import { contextOf } from './vector-stage';

const platform = usePlatform();

const fields = [
  { name: 'sku', type: 'string', unique: true },
  { name: 'n', type: 'integer' },
];

describe('the lease of an import', () => {
  let stage: ImportStage;
  let space: TestSpace;
  let owner: Client;
  let datasetId: string;

  beforeAll(async () => {
    stage = await ImportStage.open(platform);
    space = await platform.newSpace();
    owner = space.owner;
  });
  afterAll(() => stage.close());

  beforeEach(async () => {
    datasetId = (await owner.post('/datasets', { name: 'Leases', schema: { fields } })).body.data.id;
  });

  const rowOf = async (id: string) => {
    const [row] = await platform.database.query<{ phase: string; worker: string | null; isRenewed: boolean }>(
      `select phase, worker, due_at > clock_timestamp() as "isRenewed" from dataset.imports where id = $1`,
      [id],
    );
    return row!;
  };
  const lossesOf = (id: string) => platform.database.query('select losses from dataset.lost_work where id = $1', [id]);

  it('is renewed while a piece takes longer than the lease, and that counts as no loss', async () => {
    const table = `dataset.${tableOf(datasetId)}`;
    // In a schema of no service: another test reads the tables of all of them.
    const barrier = `public.${tableOf(datasetId)}_barrier`;
    // A piece that takes its time, and waits for no lock.
    await platform.database.query(`create table ${barrier} as select 1 as n`);
    await platform.database.query(
      `create function ${barrier}_wait() returns trigger language plpgsql security definer as $$ begin
         while exists (select from ${barrier}) loop perform pg_sleep(0.05); end loop; return null; end $$`,
    );
    await platform.database.query(
      `create trigger barrier before insert on ${table} for each statement execute function ${barrier}_wait()`,
    );
    const ctx = contextOf(space.id);
    const id = await stage.upload(ctx, datasetId, 3);
    await stage.imports.finish(ctx, id);
    const { worker } = await until(async () => {
      const [isWaiting] = await platform.database.query(
        `select 1 from pg_stat_activity where wait_event = 'PgSleep' and query like $1`,
        [`%${tableOf(datasetId)}%`],
      );
      return isWaiting === undefined ? null : rowOf(id);
    });
    await platform.database.query(
      `update dataset.imports set due_at = clock_timestamp() - interval '10 seconds' where id = $1`,
      [id],
    );
    await until(async () => (await rowOf(id)).isRenewed, { timeoutMs: 30_000 });
    await platform.database.query(`delete from ${barrier}`);
    expect((await rowOf(id)).worker).toBe(worker);
    await until(async () => (await rowOf(id)).phase === 'SUCCEEDED', { timeoutMs: 60_000 });
    expect(await lossesOf(id)).toEqual([]);
  });

  describe('of an import that was given up, while it is taken back', () => {
    let operator: Client;
    const sku = 'taken';

    beforeAll(async () => {
      operator = await platform.operator();
    });

    /**
     * Given up with one record written, by a process that is gone; `losses` times lost before while it was taken back.
     */
    const givenUp = async (losses: number, phase = 'UNDOING'): Promise<string> => {
      const id = newId();
      await platform.database.query(`update dataset.datasets set has_pieces = true where id = $1`, [datasetId]);
      await platform.database.query(
        `insert into dataset.hidden_imports (space_id, dataset_id, import_id) values ($1, $2, $3)`,
        [space.id, datasetId, id],
      );
      await platform.database.query(
        `insert into dataset.${tableOf(datasetId)} (space_id, id, created_at, updated_at, c1, import_id) values ($1, $2, now(), now(), $3, $4)`,
        [space.id, newId(), sku, id],
      );
      await platform.database.query(
        `insert into dataset.lost_work (kind, id, space_id, losses, given_up_at) values ('import', $1, $2, 2, clock_timestamp())`,
        [id, space.id],
      );
      if (losses > 0)
        await platform.database.query(
          `insert into dataset.lost_work (kind, id, space_id, losses) values ('import undo', $1, $2, $3)`,
          [id, space.id, losses],
        );
      await platform.database.query(
        `insert into dataset.imports (space_id, id, dataset_id, format, phase, parts, piece, staged, worker, due_at, error)
         values ($1, $2, $3, 'ndjson', $4, 1, 1, 1, case when $4 = 'UNDOING' then 'of a process that is gone' end,
           clock_timestamp() - interval '1 second', '{"code": "RUNTIME_UNAVAILABLE", "message": "given up"}')`,
        [space.id, id, datasetId, phase],
      );
      return id;
    };
    const isHidden = async (id: string): Promise<boolean> =>
      (await platform.database.query('select 1 from dataset.hidden_imports where import_id = $1', [id])).length > 0;
    const isListed = async (id: string): Promise<boolean> => {
      const { body } = await operator.get('/operator/poisoned?kind=import&limit=100');
      return (body.data as { id: string; spaceId: string }[]).some((row) => row.id === id && row.spaceId === space.id);
    };
    const ended = (id: string) => until(async () => (await rowOf(id)).phase === 'FAILED', { timeoutMs: 60_000 });
    const insert = async (): Promise<number> =>
      (await owner.post(`/datasets/${datasetId}/data/insert`, { records: [{ sku }] })).status;

    it('counts apart from the losses of its writing: another process finishes what the first one began', async () => {
      const id = await givenUp(0);
      expect(await insert()).toBe(409);
      await until(async () => !(await isHidden(id)), { timeoutMs: 60_000 });
      await ended(id);
      expect(await lossesOf(id)).toEqual(expect.arrayContaining([{ losses: 2 }, { losses: 1 }]));
      expect(await isListed(id)).toBe(true);
      expect(await insert()).toBe(200);
      // Nothing of it is left that could be taken back.
      const refused = await operator.post(`/operator/poisoned/${id}/retry`, {});
      expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
      expect(await isListed(id)).toBe(true);
    });

    it('is the last one if it is the second: what is left stays hidden, until an operator has it taken back', async () => {
      const id = await givenUp(1);
      await ended(id);
      expect([await isHidden(id), await isListed(id), await insert()]).toEqual([true, true, 409]);
      const retried = await operator.post(`/operator/poisoned/${id}/retry`, {});
      expect([retried.status, retried.body.data]).toEqual([200, expect.objectContaining({ id, kind: 'import' })]);
      await until(async () => !(await isHidden(id)), { timeoutMs: 60_000 });
      await ended(id);
      expect([await isListed(id), await lossesOf(id), await insert()]).toEqual([false, [], 200]);
    });

    it('keeps the row of an import with hidden records, however long ago it ended', async () => {
      const id = await givenUp(1, 'FAILED');
      await platform.database.query(
        `update dataset.imports set finished_at = now() - interval '31 days' where id = $1`,
        [id],
      );
      await stage.forgetOld();
      expect((await rowOf(id)).phase).toBe('FAILED');
    });
  });
});
