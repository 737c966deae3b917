import type { Ctx } from '@switchyard/contracts';
import { type Client, raisedEvent, type TestSpace, until, usePlatform, watchPlatform } from '@switchyard/testing';
import { ImportStage } from './import-stage';
import { limitedStorage } from './unlimited-storage';
import { contextOf } from './vector-stage';

const platform = usePlatform();

const fields = [
  { name: 'sku', type: 'string', unique: true },
  { name: 'n', type: 'integer' },
];

describe('imports of a Space that are open at the same time', () => {
  let limited: ImportStage;
  let free: ImportStage;
  let space: TestSpace;
  let owner: Client;
  let ctx: Ctx;
  let datasets: string[];

  beforeAll(async () => {
    limited = await ImportStage.open(platform, limitedStorage(3000));
    free = await ImportStage.open(platform);
  });
  afterAll(() => Promise.all([limited.close(), free.close()]));

  beforeEach(async () => {
    space = await platform.newSpace();
    owner = space.owner;
    ctx = contextOf(space.id);
    const made = [1, 2].map(() => owner.post('/datasets', { name: 'Open', schema: { fields } }));
    datasets = (await Promise.all(made)).map((reply) => reply.body.data.id as string);
  });

  const begin = async (datasetId = datasets[0]!): Promise<string> =>
    (await limited.imports.begin(ctx, { datasetId, format: 'ndjson' })).importId;
  const codeOf = (pending: Promise<unknown>): Promise<string> =>
    pending.then(
      () => 'taken',
      (error: unknown) => (error as { code: string }).code,
    );

  it('count together against the ceilings while they are sent, and no more when they were abandoned', async () => {
    const first = await limited.upload(ctx, datasets[0]!, 2, 'a');
    const second = await limited.upload(ctx, datasets[1]!, 1, 'b');
    await expect(limited.append(ctx, second, 1, 'b')).rejects.toMatchObject({
      code: 'CONFLICT',
      details: [{ path: 'ceilings.records' }],
    });
    await limited.imports.abandon(ctx, first);
    expect(await limited.append(ctx, second, 1, 'b')).toEqual({ staged: 2000 });
    expect(await limited.imports.finish(ctx, second)).toMatchObject({ imported: { inserted: 2000 } });
    const third = await limited.upload(ctx, datasets[0]!, 1, 'c');
    expect(await codeOf(limited.append(ctx, third, 1, 'c'))).toBe('CONFLICT');
  });

  it('do not pass a ceiling by parts that come at once', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => begin()));
    const outcomes = await Promise.all(ids.map((id) => codeOf(limited.append(ctx, id, 0, id))));
    expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === 'CONFLICT')).toHaveLength(2);
  });

  it('do not pass a ceiling that was lowered since, when jobs publish their records', async () => {
    const ids = await Promise.all(datasets.map((datasetId, n) => free.upload(ctx, datasetId, 3, `${n}`)));
    const ceilings = { records: 5000 };
    expect((await space.operator.patch(`/operator/spaces/${space.id}`, { ceilings })).status).toBe(200);
    await Promise.all(ids.map((id) => free.imports.finish(ctx, id)));
    const phases = await Promise.all(
      ids.map((importId, n) =>
        until(
          async () => {
            const { phase, error } = await free.imports.get(ctx, { importId, datasetId: datasets[n]! });
            return ['SUCCEEDED', 'FAILED'].includes(phase) ? [phase, error?.code] : null;
          },
          { timeoutMs: 60_000 },
        ),
      ),
    );
    expect(phases.sort()).toEqual([
      ['FAILED', 'CONFLICT'],
      ['SUCCEEDED', undefined],
    ]);
  });

  it.each([
    ['records', 1500],
    ['bytes', 20_000],
  ])('raise limit.reached if the ceiling %s refuses them while they are written', async (limit, value) => {
    await watchPlatform(space, 'limit.reached', 'import.failed');
    const importId = await free.upload(ctx, datasets[0]!, 3);
    const raised = await space.operator.patch(`/operator/spaces/${space.id}`, { ceilings: { [limit]: value } });
    expect(raised.status).toBe(200);
    await free.imports.finish(ctx, importId);
    expect((await raisedEvent(space, 'import.failed')).payload).toMatchObject({ error: { code: 'CONFLICT' } });
    const { payload } = await raisedEvent(space, 'limit.reached');
    expect(payload).toMatchObject({ kind: 'limit', limit, value, until: null });
  });

  it('are no more than so many: one more is 429 with Retry-After until one of them has ended', async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => codeOf(begin())));
    expect(outcomes.filter((outcome) => outcome === 'RATE_LIMITED')).toHaveLength(3);
    await expect(begin(datasets[1])).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 10 });
    const [open] = await platform.database.query<{ id: string }>(
      'select id from dataset.imports where space_id = $1 limit 1',
      [space.id],
    );
    await limited.imports.abandon(ctx, open!.id);
    expect(await codeOf(begin())).toBe('taken');
  });
});
