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
  const say = (caller: Client, verb: string, body: object): Promise<Reply> => caller.post(`${path}/data/${verb}`, body);
  const upsert = (caller: Client, records: object[]): Promise<Reply> =>
    say(caller, 'insert', { records, onConflict: { field: 'sku', action: 'UPDATE' } });
  /** Each caller does its own kind of write, again and again, at the same time as the others. */
  const together = async (write: (caller: Client, lane: number, round: number) => Promise<Reply>): Promise<Reply[]> =>
    (
      await Promise.all(
        callers.map(async (caller, lane) => {
          const replies: Reply[] = [];
          for (let round = 0; round < ROUNDS; round += 1) replies.push(await write(caller, lane, round));
          return replies;
        }),
      )
    ).flat();
  const codes = (replies: Reply[]): unknown[] => [...new Set(replies.map(({ status, body }) => body.code ?? status))];

  it('update by one filter and by another', async () => {
    await fill();
    const replies = await together((caller, lane, round) =>
      say(caller, 'update', {
        filter: lane % 2 === 0 ? { n: { gte: 0 } } : { kind: ['odd', 'even'] },
        set: { n: round, kind: lane % 3 === 0 ? 'even' : 'odd' },
      }),
    );
    expect(codes(replies)).toEqual([200]);
  });

  it('insert or update in any order, update, and delete', async () => {
    await fill();
    const replies = await together((caller, lane, round) => {
      const records = lane % 2 === 0 ? rows(round) : rows(round).reverse();
      if (lane % 5 === 4) return say(caller, 'delete', { filter: { n: { gte: ROWS / 2 } } });
      if (lane % 5 === 3) return say(caller, 'update', { filter: { n: { gte: 0 } }, set: { kind: `k${round}` } });
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
    const replies = await together((caller, lane, round) => {
      if (lane % 5 === 4) return say(caller, 'delete', { filter: { n: { gte: ROWS - 10 * round } } });
      if (lane % 5 === 3) return say(caller, 'update', { filter: { n: { gte: 0 } }, set: { text: `new ${round}` } });
      return upsert(caller, lane % 2 === 0 ? texts(round) : texts(round).reverse());
    });
    expect(codes(replies)).toEqual([200]);
  });

  it('insert the keys of two unique fields in opposite orders', async () => {
    const replies = await together((caller, lane, round) => {
      const records = Array.from({ length: 40 }, (_, i) => ({
        sku: `r${round}-${String(lane % 2 === 0 ? i : 40 - i).padStart(3, '0')}-${lane}`,
        code: round * 1000 + (lane % 2 === 0 ? i : i + 5),
      }));
      return say(caller, 'insert', { records: lane % 3 === 0 ? records : records.reverse() });
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
    await say(callers[0]!, 'insert', { records: rows(90_000).slice(0, 1) });
    const letGo = await platform.database.hold(`select pg_advisory_xact_lock(hashtextextended('${datasetId}', 73007))`);
    const many = callers.map((caller, place) =>
      place % 2 === 0 ? say(caller, 'insert', { records: rows(place * 1000) }) : upsert(caller, rows(place * 1000)),
    );
    await until(async () => (await waitingForLock()) > 0);
    const one = await say(callers[2]!, 'insert', { records: rows(80_000).slice(0, 1) });
    const connections = await waitingForLock();
    await letGo();
    expect(codes([one, ...(await Promise.all(many))])).toEqual([200]);
    expect(connections).toBe(1);
  });

  it('insert into a dataset while it goes away', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      path = await newDataset();
      const [deleted, ...replies] = await Promise.all([
        say(callers[0]!, 'insert', { records: rows(5000) }).then(() => callers[0]!.delete(path)),
        ...callers
          .slice(1)
          .flatMap((caller, lane) => [
            say(caller, 'insert', { records: rows(lane * 200) }),
            upsert(caller, rows(lane * 100).reverse()),
            say(caller, 'query', { filter: { kind: 'odd' } }),
          ]),
      ]);
      expect(deleted.status).toBe(200);
      for (const reply of replies) expect([200, 'NOT_FOUND', 'CONFLICT']).toContain(reply.body.code ?? reply.status);
      expect((await space.owner.get(path)).status).toBe(404);
    }
  });
});
