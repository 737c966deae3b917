import { Database, deleteOldMovedClocks } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };

describe('moved clocks', () => {
  let database: Database;

  beforeAll(async () => {
    database = new Database({ service: 'task', url: platform.state.databaseLogins['task'] ?? '', poolSize: 1, log });
    await database.connect();
  });
  afterAll(() => database.close());

  it('are deleted when no service asks for suspensions of that time any more', async () => {
    const [old, young] = [newId(), newId()];
    const run = database.system('delete moved clocks', async (tx) => {
      await tx.run(
        `insert into moved_clocks (space_id, until) values ($1, now() - interval '31 days'), ($2, now() - interval '29 days')`,
        [old, young],
      );
      expect(await deleteOldMovedClocks(tx, 10)).toBe(1);
      const rows = await tx.query<{ spaceId: string }>('select space_id from moved_clocks where space_id = any($1)', [
        [old, young],
      ]);
      expect(rows).toEqual([{ spaceId: young }]);
      throw new Error('undone');
    });
    await expect(run).rejects.toThrow('undone');
  });
});
