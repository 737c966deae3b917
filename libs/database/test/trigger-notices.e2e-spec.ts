import { Database, GroupCommitWriter, Outbox } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { usePlatform } from '@switchyard/testing';
import { ctxIn } from './ctx-in';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const NOTICE = `do $do$ begin raise info 'written' using errcode = 'SWOUT'; end $do$`;
const OTHER = `do $do$ begin raise info 'other'; end $do$`;

describe('a trigger that writes to the outbox', () => {
  let database: Database;
  let wakes: number;
  const ctx = ctxIn(newId());

  beforeAll(async () => {
    const url = platform.state.databaseLogins['task'] ?? '';
    // One connection: what one transaction leaves behind, the next would see.
    database = new Database({ service: 'task', url, poolSize: 1, log });
    await database.connect();
    new Outbox(database).onTriggerWrote(() => {
      wakes += 1;
    });
  });

  beforeEach(() => {
    wakes = 0;
  });

  afterAll(() => database.close());

  it('wakes the outbox once, after the commit', async () => {
    await database.transaction(ctx, async (tx) => {
      await tx.run(NOTICE);
      await tx.run(NOTICE);
      expect(wakes).toBe(0);
    });
    expect(wakes).toBe(1);
    await database.transaction(ctx, (tx) => tx.run(OTHER));
    expect(wakes).toBe(1);
  });

  it('wakes nothing if its transaction is rolled back', async () => {
    const failing = database.transaction(ctx, async (tx) => {
      await tx.run(NOTICE);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await database.transaction(ctx, (tx) => tx.run('select 1'));
    expect(wakes).toBe(0);
  });

  it('wakes it from writes in one trip, and from a group of them', async () => {
    await database.write(ctx, [{ sql: NOTICE, params: [] }]);
    expect(wakes).toBe(1);
    const write = { statements: [{ sql: NOTICE, params: [] }], order: '', bytes: 1 };
    await new GroupCommitWriter(database).add(ctx, write);
    expect(wakes).toBe(2);
  });
});
