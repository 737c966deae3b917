import { newId } from '@switchyard/kernel';
import { Database } from '@switchyard/database';
import { until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };

describe('the connection pool', () => {
  const databases: Database[] = [];
  const open = async (options: { poolWaitMs?: number; statementTimeoutMs?: number } = {}): Promise<Database> => {
    const url = platform.state.databaseLogins['task'] ?? '';
    const database = new Database({ service: 'task', url, poolSize: 4, log, ...options });
    databases.push(database);
    await database.connect();
    return database;
  };

  afterAll(async () => {
    for (const database of databases) await database.close();
  });

  /** Statements of one Space that block until the lock is released. */
  async function blockedStatements(database: Database, count: number) {
    const holder = await open();
    const lock = Math.floor(Math.random() * 1e9);
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    let hold!: () => void;
    const blocked = new Promise<void>((resolve) => (hold = resolve));
    const holding = holder.system('hold a lock', async (tx) => {
      await tx.run('select pg_advisory_xact_lock($1)', [lock]);
      hold();
      await released;
    });
    await blocked;
    const spaceId = newId();
    const statements = Array.from({ length: count }, () =>
      database
        .inSpace(spaceId, (tx) => tx.run('select pg_advisory_xact_lock_shared($1)', [lock]))
        .then(() => 'done')
        .catch((error: unknown) => (error as { code: string }).code),
    );
    return {
      statements,
      end: async (): Promise<void> => {
        release();
        await holding;
      },
    };
  }

  it('answers one Space while another has more slow statements than there are connections', async () => {
    const database = await open();
    const attack = await blockedStatements(database, 20);
    await until(() => database.connections.waiting > 0);
    const victim = newId();
    for (let i = 0; i < 5; i += 1) {
      expect(await database.inSpace(victim, (tx) => tx.one('select 1 as one'))).toEqual({ one: 1 });
      expect(await database.writeInSpace(victim, [{ sql: 'select 1 as one', params: [] }])).toEqual([[{ one: 1 }]]);
    }
    await attack.end();
    expect(await Promise.all(attack.statements)).toEqual(Array(20).fill('done'));
  }, 30_000);

  it('refuses with 503 after the wait, counts it and serves again when connections are free', async () => {
    const database = await open({ poolWaitMs: 200 });
    const attack = await blockedStatements(database, 12);
    await until(() => database.poolUse.refused > 0);
    await attack.end();
    const codes = await Promise.all(attack.statements);
    expect(codes.filter((code) => code === 'done').length).toBeGreaterThanOrEqual(2);
    expect(codes.filter((code) => code === 'SERVICE_UNAVAILABLE').length).toBe(database.poolUse.refused);
    expect(await database.system('ask', (tx) => tx.one('select 1 as one'))).toEqual({ one: 1 });
    expect(database.poolUse).toMatchObject({ used: 0, limit: 4 });
  }, 30_000);

  it('breaks off a statement that runs over its time', async () => {
    const database = await open({ statementTimeoutMs: 1_000 });
    await expect(database.inSpace(newId(), (tx) => tx.run('select pg_sleep(30)'))).rejects.toMatchObject({
      message: expect.stringContaining('took too long'),
      code: 'SERVICE_UNAVAILABLE',
    });
  }, 30_000);
});
