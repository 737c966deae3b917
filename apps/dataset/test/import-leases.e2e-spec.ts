import { newId } from '@switchyard/kernel';
import { type Client, signIn, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { tableOf } from '../src/domain/layout';
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

  it('that ends while what was given up is taken back makes it FAILED for good: it stays hidden, and listed', async () => {
    const id = newId();
    await platform.database.query(
      `insert into dataset.hidden_imports (space_id, dataset_id, import_id) values ($1, $2, $3)`,
      [space.id, datasetId, id],
    );
    await platform.database.query(
      `insert into dataset.lost_work (kind, id, space_id, losses, given_up_at) values ('import', $1, $2, 2, clock_timestamp())`,
      [id, space.id],
    );
    await platform.database.query(
      `insert into dataset.imports (space_id, id, dataset_id, format, phase, parts, piece, staged, worker, due_at, error)
       values ($1, $2, $3, 'ndjson', 'UNDOING', 1, 1, 1, 'of a process that is gone', clock_timestamp() - interval '1 second',
         '{"code": "RUNTIME_UNAVAILABLE", "message": "given up"}')`,
      [space.id, id, datasetId],
    );
    await until(async () => (await rowOf(id)).phase === 'FAILED', { timeoutMs: 60_000 });
    const hidden = await platform.database.query('select 1 from dataset.hidden_imports where import_id = $1', [id]);
    expect(hidden).toHaveLength(1);
    const { email, password } = platform.state.owner;
    const operator = await signIn(platform.anonymous, email, password);
    const listed = await operator.get('/operator/poisoned?kind=import&limit=100');
    expect(listed.body.data).toContainEqual(expect.objectContaining({ id, spaceId: space.id, losses: 2 }));
  });
});
