import type { Ctx } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { type Client, until, usePlatform } from '@switchyard/testing';
import { tableOf } from '../src/domain/table-layout';
import { ImportStage } from './import-stage';
import { contextOf } from './vector-stage';

const platform = usePlatform();

const fields = [
  { name: 'sku', type: 'string', unique: true },
  { name: 'n', type: 'integer' },
];

describe('the end of an upload', () => {
  let stage: ImportStage;
  let owner: Client;
  let ctx: Ctx;
  let datasetId: string;

  beforeAll(async () => {
    stage = await ImportStage.open(platform);
    const space = await platform.newSpace();
    owner = space.owner;
    ctx = contextOf(space.id);
  });
  afterAll(() => stage.close());

  beforeEach(async () => {
    datasetId = (await owner.post('/datasets', { name: 'Ends', schema: { fields } })).body.data.id;
  });

  const count = async (): Promise<number> =>
    (await owner.post(`/datasets/${datasetId}/data/count`, {})).body.data.count;
  const inTable = async (): Promise<number> => {
    const [row] = await platform.database.query<{ n: number }>(
      `select count(*)::int as n from dataset.${tableOf(datasetId)}`,
    );
    return row!.n;
  };
  const imported = async (id: string) => {
    const [row] = await platform.database.query<{ phase: string; piece: number; error: { code: string } | null }>(
      'select phase, piece, error from dataset.imports where id = $1',
      [id],
    );
    return row!;
  };
  const hasEnded = (id: string) =>
    until(
      async () => {
        const row = await imported(id);
        return ['SUCCEEDED', 'FAILED', 'CANCELLED'].includes(row.phase) ? row : null;
      },
      { timeoutMs: 60_000 },
    );
  const hold = (): Promise<() => Promise<void>> =>
    platform.database.hold(`lock table dataset.${tableOf(datasetId)} in share mode`);
  const losePart = (id: string, part: number) =>
    platform.database.query('delete from dataset.import_parts where import_id = $1 and part = $2', [id, part]);
  /** As the gateway: again while something is in the way. Answers the code of a refusal. */
  const finish = async (id: string): Promise<string> => {
    for (;;) {
      try {
        const { job } = await stage.imports.finish(ctx, id);
        return job === null ? 'imported' : 'job';
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.code !== 'SERVICE_UNAVAILABLE') return error.code;
      }
    }
  };
  const isBlocked = () =>
    until(async () => {
      const [row] = await platform.database.query<{ n: number }>(
        `select count(*)::int as n from pg_locks where not granted and relation = $1::regclass`,
        [`dataset.${tableOf(datasetId)}`],
      );
      return row!.n > 0;
    });

  it('imports nothing when it was abandoned before its finish arrives', async () => {
    const id = await stage.upload(ctx, datasetId, 2);
    await stage.imports.abandon(ctx, id);
    expect(await finish(id)).toBe('NOT_FOUND');
    await expect(stage.imports.append(ctx, { importId: id, part: 2, lines: [{ line: 1, value: {} }] })).rejects.toThrow(
      'no import',
    );
    expect([await count(), await inTable()]).toEqual([0, 0]);
  });

  it('imports nothing when it is abandoned while its finish is under way', async () => {
    const id = await stage.upload(ctx, datasetId, 2);
    const letGo = await hold();
    const finished = finish(id);
    try {
      await isBlocked();
      await stage.imports.abandon(ctx, id);
    } finally {
      await letGo();
    }
    expect(await finished).toBe('NOT_FOUND');
    expect([await count(), await inTable()]).toEqual([0, 0]);
  });

  it('imports nothing when it is abandoned after it became a job', async () => {
    const id = await stage.upload(ctx, datasetId, 4);
    const letGo = await hold();
    try {
      expect(await finish(id)).toBe('job');
      await stage.imports.abandon(ctx, id);
    } finally {
      await letGo();
    }
    expect((await hasEnded(id)).phase).toBe('CANCELLED');
    expect([await count(), await inTable()]).toEqual([0, 0]);
  });

  it('writes once when its finish is sent twice at once', async () => {
    const id = await stage.upload(ctx, datasetId, 2);
    expect(await Promise.all([finish(id), finish(id)])).toEqual(['imported', 'imported']);
    expect([await count(), await inTable()]).toEqual([2000, 2000]);
  });

  it.each([
    ['small', 2],
    ['large', 4],
  ])('refuses a %s file of which a part is missing', async (_, parts) => {
    const id = await stage.upload(ctx, datasetId, parts);
    await losePart(id, 1);
    expect(await finish(id)).toBe('CONFLICT');
    expect([await count(), await inTable()]).toEqual([0, 0]);
  });

  it('takes everything back when parts are lost while a job writes them', async () => {
    const id = await stage.upload(ctx, datasetId, 9);
    // A value that another transaction has taken, and gives back, in the last part.
    const letGo = await platform.database
      .hold(`insert into dataset.${tableOf(datasetId)} (space_id, id, created_at, updated_at, c1)
      values ('${ctx.spaceId}', gen_random_uuid(), now(), now(), 's8500')`);
    try {
      expect(await finish(id)).toBe('job');
      await until(async () => (await imported(id)).piece >= 8, { timeoutMs: 60_000 });
      await losePart(id, 1);
    } finally {
      await letGo();
    }
    const end = await hasEnded(id);
    expect([end.phase, end.error?.code]).toEqual(['FAILED', 'CONFLICT']);
    expect([await count(), await inTable()]).toEqual([0, 0]);
  });

  it('keeps its parts while its finish is under way, however old they are', async () => {
    const id = await stage.upload(ctx, datasetId, 2);
    const age = `update dataset.imports set touched_at = clock_timestamp() - interval '3 hours' where id = $1`;
    const letGo = await hold();
    // At once before its finish: the service removes old uploads by itself.
    await platform.database.query(age, [id]);
    const finished = finish(id);
    try {
      await isBlocked();
      await stage.forgetOld();
    } finally {
      await letGo();
    }
    expect(await finished).toBe('imported');
    expect(await count()).toBe(2000);
  });

  it('is refused once its parts were forgotten', async () => {
    const id = await stage.upload(ctx, datasetId, 2);
    const age = `update dataset.imports set touched_at = clock_timestamp() - interval '3 hours' where id = $1`;
    await platform.database.query(age, [id]);
    await stage.forgetOld();
    expect(await finish(id)).toBe('NOT_FOUND');
    expect(await platform.database.query('select 1 from dataset.imports where id = $1', [id])).toEqual([]);
  });
});
