import { type Client, type Reply, type TestSpace, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

const fields = [
  { name: 'sku', type: 'string', unique: true },
  { name: 'code', type: 'integer', unique: true },
  { name: 'kind', type: 'string', indexed: true },
  { name: 'n', type: 'integer' },
];

const ROWS = 150;
/** As many as one Space has connections: a caller that waits for one could be refused on a slow machine. */
const CALLERS = 6;
const ROUNDS = 6;

describe('writes of many callers to the same records', () => {
  let space: TestSpace;
  let callers: Client[];
  let path: string;

  beforeAll(async () => {
    space = await platform.newSpace();
    callers = await Promise.all(Array.from({ length: CALLERS }, () => space.key()));
  });

  beforeEach(async () => {
    path = await newDataset();
  });

  const newDataset = async (): Promise<string> => {
    const created = await space.owner.post('/datasets', { name: 'Contended', schema: { fields } });
    return `/datasets/${created.body.data.id}`;
  };
  const rows = (from = 0): object[] =>
    Array.from({ length: ROWS }, (_, i) => ({ sku: `s${1000 + from + i}`, kind: i % 2 === 0 ? 'even' : 'odd', n: i }));
  const fill = async (): Promise<void> => {
    const reply = await callers[0]!.post(`${path}/data/insert`, { records: rows() });
    expect(reply.status).toBe(200);
  };
  const send = (caller: Client, verb: string, body: object): Promise<Reply> =>
    caller.post(`${path}/data/${verb}`, body);
  const upsert = (caller: Client, records: object[]): Promise<Reply> =>
    send(caller, 'insert', { records, onConflict: { field: 'sku', action: 'UPDATE' } });
  /** Each caller does its own kind of write, again and again, at the same time as the others. */
  const together = async (write: (caller: Client, shard: number, round: number) => Promise<Reply>): Promise<Reply[]> =>
    (
      await Promise.all(
        callers.map(async (caller, shard) => {
          const replies: Reply[] = [];
          for (let round = 0; round < ROUNDS; round += 1) replies.push(await write(caller, shard, round));
          return replies;
        }),
      )
    ).flat();
  const codes = (replies: Reply[]): unknown[] => [...new Set(replies.map(({ status, body }) => body.code ?? status))];

  it('update by one filter and by another', async () => {
    await fill();
    const replies = await together((caller, shard, round) =>
      send(caller, 'update', {
        filter: shard % 2 === 0 ? { n: { gte: 0 } } : { kind: ['odd', 'even'] },
        set: { n: round, kind: shard % 3 === 0 ? 'even' : 'odd' },
      }),
    );
    expect(codes(replies)).toEqual([200]);
  });

  it('insert or update in any order, update, and delete', async () => {
    await fill();
    const replies = await together((caller, shard, round) => {
      const records = shard % 2 === 0 ? rows(round) : rows(round).reverse();
      if (shard % 5 === 4) return send(caller, 'delete', { filter: { n: { gte: ROWS / 2 } } });
      if (shard % 5 === 3) return send(caller, 'update', { filter: { n: { gte: 0 } }, set: { kind: `k${round}` } });
      return upsert(caller, records);
    });
    expect(codes(replies)).toEqual([200]);
    const shown = await space.owner.get(path);
    const counted = await space.owner.post(`${path}/data/count`, { filter: { sku: { exists: true } } });
    expect(shown.body.data.recordCount).toBe(counted.body.data.count);
  });

  it('change and delete texts while their vectors are made', async () => {
    const text = { name: 'text', type: 'text', vector: true };
    const created = await space.owner.post('/datasets', { name: 'Texts', schema: { fields: [...fields, text] } });
    path = `/datasets/${created.body.data.id}`;
    const texts = (round: number): object[] => rows().map((row) => ({ ...row, text: `text of round ${round}` }));
    const replies = await together((caller, shard, round) => {
      if (shard % 5 === 4) return send(caller, 'delete', { filter: { n: { gte: ROWS - 10 * round } } });
      if (shard % 5 === 3) return send(caller, 'update', { filter: { n: { gte: 0 } }, set: { text: `new ${round}` } });
      return upsert(caller, shard % 2 === 0 ? texts(round) : texts(round).reverse());
    });
    expect(codes(replies)).toEqual([200]);
  });

  it('insert the keys of two unique fields in opposite orders', async () => {
    const replies = await together((caller, shard, round) => {
      const records = Array.from({ length: 40 }, (_, i) => ({
        sku: `r${round}-${String(shard % 2 === 0 ? i : 40 - i).padStart(3, '0')}-${shard}`,
        code: round * 1000 + (shard % 2 === 0 ? i : i + 5),
      }));
      return send(caller, 'insert', { records: shard % 3 === 0 ? records : records.reverse() });
    });
    expect(codes(replies).filter((code) => code !== 200)).toEqual(['CONFLICT']);
  });

  it('insert many records with several unique fields one after the other, of which one holds a connection', async () => {
    const datasetId = path.split('/').at(-1)!;
    const waitingForLock = async (): Promise<number> => {
      const [row] = await platform.database.query<{ n: number }>(
        `select count(*)::int as n from pg_locks w join pg_locks h
           on (w.classid, w.objid) = (h.classid, h.objid) and h.granted and h.locktype = 'advisory'
         where not w.granted and w.locktype = 'advisory'
           and (h.classid::bigint << 32 | h.objid::bigint) = hashtextextended($1, 73007)`,
        [datasetId],
      );
      return row!.n;
    };
    await send(callers[0]!, 'insert', { records: rows(90_000).slice(0, 1) });
    const letGo = await platform.database.hold(`select pg_advisory_xact_lock(hashtextextended('${datasetId}', 73007))`);
    const many = callers.map((caller, index) =>
      index % 2 === 0 ? send(caller, 'insert', { records: rows(index * 1000) }) : upsert(caller, rows(index * 1000)),
    );
    await until(async () => (await waitingForLock()) > 0);
    const one = await send(callers[2]!, 'insert', { records: rows(80_000).slice(0, 1) });
    const connections = await waitingForLock();
    await letGo();
    expect(codes([one, ...(await Promise.all(many))])).toEqual([200]);
    expect(connections).toBe(1);
  });

  it('insert into a dataset while it goes away', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      path = await newDataset();
      const [deleted, ...replies] = await Promise.all([
        send(callers[0]!, 'insert', { records: rows(5000) }).then(() => callers[0]!.delete(path)),
        ...callers
          .slice(1)
          .flatMap((caller, shard) => [
            send(caller, 'insert', { records: rows(shard * 200) }),
            upsert(caller, rows(shard * 100).reverse()),
            send(caller, 'query', { filter: { kind: 'odd' } }),
          ]),
      ]);
      expect(deleted.status).toBe(200);
      for (const reply of replies) expect([200, 'NOT_FOUND', 'CONFLICT']).toContain(reply.body.code ?? reply.status);
      expect((await space.owner.get(path)).status).toBe(404);
    }
  });
});
