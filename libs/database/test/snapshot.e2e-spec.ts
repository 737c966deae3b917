import { Database } from '@switchyard/database';
import { usePlatform } from '@switchyard/testing';
import { ctxIn } from './ctx-in';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };

describe('a snapshot', () => {
  let database: Database;

  beforeAll(async () => {
    const url = platform.state.databaseLogins['task'] ?? '';
    database = new Database({ service: 'task', url, poolSize: 4, log });
    await database.connect();
  });
  afterAll(() => database.close());

  it('shows every read what the first one saw, and takes no writes', async () => {
    const { id: spaceId, owner } = await platform.newSpace();
    const ctx = ctxIn(spaceId, owner.identity.userId);
    const steps = [{ id: 'a', type: 'transform', with: { x: 1 } }];
    const count = 'select count(*)::int as n from tasks where space_id = $1';
    const seen = await database.snapshot(ctx, async (tx) => {
      const before = await tx.one<{ n: number }>(count, [spaceId]);
      expect((await owner.post('/tasks', { name: 'Made meanwhile', steps })).status).toBe(201);
      return [before?.n, (await tx.one<{ n: number }>(count, [spaceId]))?.n];
    });
    expect(seen).toEqual([0, 0]);
    const write = database.snapshot(ctx, (tx) => tx.run('delete from tasks where space_id = $1', [spaceId]));
    await expect(write).rejects.toThrow();
    expect((await database.transaction(ctx, (tx) => tx.one<{ n: number }>(count, [spaceId])))?.n).toBe(1);
  });
});
