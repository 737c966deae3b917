import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { tableOf } from '../src/domain/table-layout';

const platform = usePlatform();
const NDJSON = { headers: { 'content-type': 'application/x-ndjson' } };
/** More than are written while the caller waits. */
const LARGE = 50_001;
/** More than the embedder claims at a time. */
const TEXTS = 400;

const decide = async (space: TestSpace, verb: 'suspend' | 'resume'): Promise<void> => {
  const body = verb === 'suspend' ? { reason: 'a test' } : {};
  expect((await space.operator.post(`/operator/spaces/${space.id}/${verb}`, body)).status).toBe(200);
};

describe('while a Space is suspended', () => {
  let space: TestSpace;
  beforeEach(async () => {
    space = await platform.newSpace();
  });

  it('a large import stops between two pieces, and goes on when the Space is resumed', async () => {
    const schema = { fields: [{ name: 'n', type: 'integer' }] };
    const datasetId: string = (await space.owner.post('/datasets', { name: 'Large', schema })).body.data.id;
    const letGo = await platform.database.hold(`lock table dataset.${tableOf(datasetId)} in share mode`);
    const lines = Buffer.from(Array.from({ length: LARGE }, (_, n) => `{"n":${n}}\n`).join(''));
    const accepted = await space.owner.post(`/datasets/${datasetId}/import`, lines, NDJSON);
    expect(accepted.status).toBe(202);
    const { id } = accepted.body.data;
    const stored = async () =>
      (
        await platform.database.query<{
          phase: string;
          piece: number;
          parts: number;
          attempts: number;
          isFree: boolean;
        }>(`select phase, piece, parts, attempts, worker is null as "isFree" from dataset.imports where id = $1`, [id])
      )[0]!;
    await until(async () => (await stored()).attempts === 1);
    await decide(space, 'suspend');
    await letGo();
    const resting = await until(async () => {
      const now = await stored();
      return now.isFree && now.attempts === 0 ? now : undefined;
    });
    expect(resting.piece).toBeLessThan(resting.parts);
    await decide(space, 'resume');
    await until(async () => (await stored()).phase === 'SUCCEEDED', { timeoutMs: 60_000 });
    expect((await space.owner.post(`/datasets/${datasetId}/data/count`, {})).body.data).toEqual({ count: LARGE });
  });

  it('a text waits for its vector, and that is no attempt', async () => {
    const schema = { fields: [{ name: 'body', type: 'text', vector: true }] };
    const datasetId: string = (await space.owner.post('/datasets', { name: 'Texts', schema })).body.data.id;
    const records = Array.from({ length: TEXTS }, (_, n) => ({ body: `How points are set: ${n}.` }));
    await space.owner.post(`/datasets/${datasetId}/data/insert`, { records });
    const since = new Date();
    const stored = async () =>
      (
        await platform.database.query<{ ready: number; attempts: number; putBack: number; latest: number | null }>(
          `select count(*) filter (where state = 'READY')::int as ready, sum(attempts)::int as attempts,
                  count(*) filter (where worker is null and due_at > $2)::int as "putBack",
                  extract(epoch from max(due_at) filter (where worker is null and due_at > $2))::float8 as latest
             from dataset.record_vectors where space_id = $1`,
          [space.id, since],
        )
      )[0]!;
    const wait = (texts: number) =>
      platform.database.query(
        `update dataset.record_vectors set state = 'PENDING', attempts = 0, due_at = $2
          where (space_id, record_id) in (select space_id, record_id from dataset.record_vectors where space_id = $1 limit $3)`,
        [space.id, since, texts],
      );
    const oncePutBack = () =>
      until(async () => {
        const { latest, ...now } = await stored();
        return latest === null ? undefined : { ...now, latest };
      });
    await until(async () => (await stored()).ready === TEXTS);
    await decide(space, 'suspend');
    // Until the service has heard of it, a text is tried, and the relay refuses it.
    await until(async () => {
      await wait(1);
      return (await oncePutBack()).attempts === 0;
    });
    await wait(TEXTS);
    const { latest } = await oncePutBack();
    // One batch in each pause: the embedder does not go through all texts of a suspended Space again and again.
    const later = await until(async () => {
      const now = await stored();
      return now.latest !== null && now.latest > latest + 2 ? now : undefined;
    });
    expect(later.putBack).toBeLessThan(TEXTS / 2);
    await until(async () => (await stored()).attempts === 0);
    await decide(space, 'resume');
    await until(async () => (await stored()).ready === TEXTS);
  });
});
