import { TcpProxy, usePlatform } from '@switchyard/testing';
import { Database } from '@switchyard/database';
import { askAfter } from '../src/client/connection-watchdog';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };

describe('connections that die without a word', () => {
  let proxy: TcpProxy;
  let database: Database;

  beforeAll(async () => {
    proxy = await TcpProxy.to(platform.state.databaseLogins['task'] ?? '');
    database = new Database({ service: 'task', url: proxy.url, poolSize: 2, log });
    await database.connect();
  });

  afterAll(async () => {
    await proxy.close();
    await database.close();
  });

  const ask = (): Promise<unknown> => database.system('ask', (tx) => tx.one<{ one: number }>('select 1 as one'));
  const readInBatch = (): Promise<unknown> => database.systemRead('ask', [{ sql: 'select 1 as one', params: [] }]);

  it('are given up by those who wait on them, and replaced for those who come next', async () => {
    await Promise.all([ask(), ask(), readInBatch()]);
    proxy.halfOpen();
    const startedAt = performance.now();
    const waiting = await Promise.allSettled([ask(), readInBatch()]);
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    for (const result of waiting)
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } });
    expect(await Promise.all([ask(), readInBatch()])).toEqual([{ one: 1 }, [[{ one: 1 }]]]);
  }, 60_000);

  it('are given up as well when not even a new one is answered', async () => {
    await ask();
    proxy.swallow();
    const startedAt = performance.now();
    await expect(ask()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    proxy.pass();
    expect(await ask()).toEqual({ one: 1 });
  }, 60_000);

  it('are told from statements that take long', async () => {
    const sql = 'select 1 as one from pg_sleep(7)';
    const results = await Promise.all([
      database.system('ask', (tx) => tx.one(sql)),
      database.systemRead('ask', [{ sql, params: [] }]),
    ]);
    expect(results).toEqual([{ one: 1 }, [[{ one: 1 }]]]);
  }, 60_000);

  it('are not found dead by a process that itself stood still while it asked', async () => {
    const results = askAfter(platform.state.databaseLogins['task'] ?? '', 'asking', [1]);
    for (const end = performance.now() + 4500; performance.now() < end;);
    expect(await results).not.toBe('unreachable');
  });

  it('that break under a question fail it, not the process', async () => {
    const request = [
      database.system('ask', (tx) => tx.query('select pg_sleep(5)')),
      database.systemRead('ask', [{ sql: 'select pg_sleep(5)', params: [] }]),
    ];
    const results = Promise.allSettled(request);
    await new Promise((resolve) => setTimeout(resolve, 200));
    proxy.reset();
    for (const result of await results)
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } });
    expect(await ask()).toEqual({ one: 1 });
  });

  it('leave no timer behind that would break a connection later', async () => {
    for (let i = 0; i < 5; i += 1) await readInBatch();
    const handles = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    for (let i = 0; i < 50; i += 1) await readInBatch();
    expect(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length).toBeLessThan(handles + 10);
  });
});

describe('a database before its first connection', () => {
  it('is not available, which is no failure of the service', async () => {
    const early = new Database({ service: 'task', url: platform.state.databaseLogins['task'] ?? '', poolSize: 1, log });
    const results = [
      early.system('ask', (tx) => tx.run('select 1')),
      early.systemRead('ask', [{ sql: 'select 1', params: [] }]),
    ];
    for (const result of await Promise.allSettled(results))
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } });
  });
});
