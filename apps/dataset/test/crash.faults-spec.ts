import { Readable } from 'node:stream';
import { type Client, until, usePlatform } from '@switchyard/testing';
import { fetch } from 'undici';

const platform = usePlatform();

const fields = [
  { name: 'sku', type: 'string', unique: true },
  { name: 'n', type: 'integer' },
];
interface Job {
  phase: string;
  progress: number;
  inserted?: number;
  error?: { code: string } | null;
}

const NDJSON = { 'content-type': 'application/x-ndjson' };
const line = (n: number): string => `{"sku":"s${n}","n":${n}}\n`;

describe('after kill -9 of the dataset service', () => {
  let owner: Client;
  let path: string;

  beforeAll(async () => {
    owner = (await platform.newSpace()).owner;
  });

  beforeEach(async () => {
    path = `/datasets/${(await owner.post('/datasets', { name: 'Crash', schema: { fields } })).body.data.id}`;
  });

  /** Once it can be told: nothing says that the first question after a crash has an answer. */
  const count = async (filter?: object): Promise<number> => {
    const { body } = await until(async () => {
      const reply = await owner.post(`${path}/data/count`, { filter });
      return reply.status === 200 ? reply : null;
    });
    return body.data.count;
  };

  const records = 120_000;
  const importing = async (): Promise<{ id: string; job: () => Promise<Job | undefined> }> => {
    const file = Buffer.from(Array.from({ length: records }, (_, n) => line(n)).join(''));
    const accepted = await owner.post(`${path}/import`, file, { headers: NDJSON });
    expect(accepted.status).toBe(202);
    const id = accepted.body.data.id as string;
    return { id, job: async () => (await owner.get(`${path}/imports/${id}`)).body.data as Job | undefined };
  };
  const crashBeyond = async (job: () => Promise<Job | undefined>, percent: number): Promise<number> => {
    const before = await until(
      async () => {
        const { progress } = (await job()) ?? { progress: 0 };
        return progress > percent ? progress : null;
      },
      { timeoutMs: 120_000 },
    );
    await platform.service('dataset').crash();
    return before;
  };

  const ended = (job: () => Promise<Job | undefined>, phase: string): Promise<Job> =>
    until(
      async () => {
        const now = await job();
        return now?.phase === phase ? now : null;
      },
      { timeoutMs: 120_000 },
    );

  it('a job goes on where it was and imports everything once', async () => {
    const { id, job } = await importing();
    const before = await crashBeyond(job, 5);
    expect((await count()) % records).toBe(0);
    expect((await until(job)).progress).toBeGreaterThanOrEqual(before);
    const [stored] = await platform.database.query<{ piece: number }>(
      'select piece from dataset.imports where id = $1',
      [id],
    );
    expect(stored!.piece).toBeGreaterThan(0);
    const end = await ended(job, 'SUCCEEDED');
    expect([end.inserted, await count()]).toEqual([records, records]);
  }, 300_000);

  it('a job that has lost its process twice is given up, and leaves nothing', async () => {
    const { job } = await importing();
    await crashBeyond(job, 5);
    await crashBeyond(job, 25);
    const end = await ended(job, 'FAILED');
    expect([end.error?.code, await count()]).toEqual(['RUNTIME_UNAVAILABLE', 0]);
  }, 300_000);

  it('an upload goes on where it was', async () => {
    const records = 20_000;
    let goOn: () => void = () => undefined;
    const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
    async function* file(): AsyncGenerator<Buffer> {
      for (let n = 0; n < records; n += 1000) {
        if (n === records / 2) await mayGoOn;
        yield Buffer.from(Array.from({ length: 1000 }, (_, k) => line(n + k)).join(''));
      }
    }
    const reply = fetch(`${owner.host}/api${path}/import`, {
      method: 'POST',
      headers: { ...NDJSON, authorization: owner.authorization! },
      body: Readable.from(file()),
      duplex: 'half',
    });
    await until(async () => {
      const [staging] = await platform.database.query(
        `select staged::int as staged from dataset.imports where dataset_id = $1`,
        [path.split('/').at(-1)],
      );
      return Number(staging?.['staged']) >= records / 2 - 1000;
    });
    await platform.service('dataset').kill('SIGKILL');
    goOn();
    const answer = await reply;
    expect([answer.status, ((await answer.json()) as { data: unknown }).data]).toEqual([200, { inserted: records }]);
    expect(await count()).toBe(records);
  }, 300_000);

  it('an insert is there whole or not at all', async () => {
    const leave = new AbortController();
    const sent = Array.from({ length: 12 }, (_, batch) =>
      owner
        .post(
          `${path}/data/insert`,
          { records: Array.from({ length: 1000 }, (_, n) => ({ sku: `${batch}-${n}`, n: batch })) },
          { signal: leave.signal },
        )
        .catch(() => null),
    );
    await platform.service('dataset').crash();
    // Requests in progress in the dead process get no response.
    setTimeout(() => {
      leave.abort();
    }, 3000);
    const replies = await Promise.all(sent);
    for (const [batch, reply] of replies.entries()) {
      const there = await count({ n: batch });
      expect([0, 1000]).toContain(there);
      if (reply?.status === 200) expect(there).toBe(1000);
    }
    // Abandoned writes can still have been committed in between.
    await until(async () => (await count()) === (await count({ n: { gte: 0 } })));
  }, 300_000);
});
