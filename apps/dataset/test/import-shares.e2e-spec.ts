import { Database, type Tx } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { usePlatform } from '@switchyard/testing';
import { ImportQueueRepository } from '../src/db/import-queue.repository';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };

class RolledBack extends Error {}

describe('imports that wait', () => {
  const queue = new ImportQueueRepository();
  let database: Database;

  beforeAll(async () => {
    const url = platform.state.databaseLogins['dataset'] ?? '';
    database = new Database({ service: 'dataset', url, poolSize: 1, log });
    await database.connect();
  });
  afterAll(() => database.close());

  const aDataset = async (): Promise<{ spaceId: string; datasetId: string }> => {
    const { id, owner } = await platform.newSpace();
    const schema = { fields: [{ name: 'n', type: 'integer' }] };
    return { spaceId: id, datasetId: (await owner.post('/datasets', { name: 'Shares', schema })).body.data.id };
  };

  async function anImport(
    tx: Tx,
    { spaceId, datasetId }: { spaceId: string; datasetId: string },
    { worker, seconds }: { worker: string | null; seconds: number },
  ): Promise<string> {
    const id = newId();
    await tx.run(
      `insert into imports (space_id, id, dataset_id, format, phase, parts, staged, worker, due_at)
       values ($1, $2, $3, 'ndjson', case when $4::text is null then 'QUEUED' else 'WRITING' end, 1, 1, $4,
         clock_timestamp() - make_interval(secs => $5))`,
      [spaceId, id, datasetId, worker, seconds],
    );
    return id;
  }

  it('come up by payer: a Space of a payer with a running import waits for those of others', async () => {
    const [first, second, other] = await Promise.all([aDataset(), aDataset(), aDataset()]);
    // RolledBack, so that no service takes part.
    const run = database.system('try shares out', async (tx) => {
      await tx.run(`delete from lost_work where kind = 'trial of dataset work'`);
      const rest = await tx.query<{ spaceId: string }>(
        'select distinct space_id from imports where space_id <> all($1)',
        [[first.spaceId, second.spaceId, other.spaceId]],
      );
      await anImport(tx, first, { worker: 'another', seconds: -30 });
      const older = await anImport(tx, second, { worker: null, seconds: 60 });
      const newer = await anImport(tx, other, { worker: null, seconds: 1 });
      expect(await queue.unfinishedSpaces(tx)).toEqual(
        expect.arrayContaining([first.spaceId, second.spaceId, other.spaceId]),
      );
      const payers = [first, second].map(({ spaceId }) => ({ spaceId, payer: 'one' }));
      const busySpaces = rest.map(({ spaceId }) => spaceId);
      const claim = async (): Promise<string | undefined> =>
        (await queue.claim(tx, 'writer', { embedder: 'embedder', busySpaces, payers }))?.id;
      expect([await claim(), await claim()]).toEqual([newer, older]);
      throw new RolledBack();
    });
    await expect(run).rejects.toThrow(RolledBack);
  });
});
