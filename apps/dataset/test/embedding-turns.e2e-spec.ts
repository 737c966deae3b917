import { Database, type Tx } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { usePlatform } from '@switchyard/testing';
import { VectorsRepository } from '../src/db/vectors.repository';
import { EmbeddingTurns } from '../src/vectors/embedding-turns';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

class RolledBack extends Error {}

describe('texts that wait for their vectors', () => {
  const vectors = new VectorsRepository();
  let database: Database;

  beforeAll(async () => {
    const url = platform.state.databaseLogins['dataset'] ?? '';
    database = new Database({ service: 'dataset', url, poolSize: 1, log });
    await database.connect();
  });
  afterAll(() => database.close());

  const aText = async (tx: Tx, spaceId: string, datasetId: string, seconds: number): Promise<void> =>
    void (await tx.run(
      `insert into record_vectors (space_id, dataset_id, record_id, field, due_at)
       values ($1, $2, $3, 1, clock_timestamp() - make_interval(secs => $4))`,
      [spaceId, datasetId, newId(), seconds],
    ));

  it('get them by payer: ten Spaces of one payer have together as many turns as one of another', async () => {
    const spaces = await Promise.all(
      Array.from({ length: 11 }, async () => {
        const { id, owner } = await platform.newSpace();
        const schema = { fields: [{ name: 'text', type: 'text', vector: true }] };
        return { id, datasetId: (await owner.post('/datasets', { name: 'Turns', schema })).body.data.id as string };
      }),
    );
    const ids = spaces.map(({ id }) => id).sort();
    const other = ids[5] ?? '';
    const payerOf = (spaceId: string): string => (spaceId === other ? 'other' : 'one');
    // Rolled back, so that no service takes part.
    const run = database.system('try turns out', async (tx) => {
      for (const { id, datasetId } of spaces) await aText(tx, id, datasetId, 60);
      const turns = new EmbeddingTurns();
      const served: string[] = [];
      for (let cycle = 0; cycle < 10; cycle += 1) {
        const due = await vectors.dueSpaces(tx, BEFORE_ALL);
        expect(due.last).toBeNull();
        served.push(
          ...turns.next(
            due.spaces.filter((spaceId) => ids.includes(spaceId)),
            payerOf,
          ),
        );
      }
      expect(served.filter((spaceId) => spaceId === other)).toHaveLength(10);
      expect([...new Set(served)].sort()).toEqual(ids);
      throw new RolledBack();
    });
    await expect(run).rejects.toThrow(RolledBack);
  });

  it('wait until they are due, and are passed over meanwhile', async () => {
    const { id, owner } = await platform.newSpace();
    const schema = { fields: [{ name: 'text', type: 'text', vector: true }] };
    const datasetId = (await owner.post('/datasets', { name: 'Turns', schema })).body.data.id as string;
    const run = database.system('try turns out', async (tx) => {
      await aText(tx, id, datasetId, -600);
      expect((await vectors.dueSpaces(tx, BEFORE_ALL)).spaces).not.toContain(id);
      expect(await vectors.firstDue(tx, id)).toBeNull();
      await aText(tx, id, datasetId, 1);
      expect((await vectors.dueSpaces(tx, BEFORE_ALL)).spaces).toContain(id);
      expect(await vectors.firstDue(tx, id)).toMatchObject({ isSuspect: false });
      throw new RolledBack();
    });
    await expect(run).rejects.toThrow(RolledBack);
  });
});
