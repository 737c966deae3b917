import { AdminDatabase, type Client, until, usePlatform } from '@switchyard/testing';
import { tableOf } from '../src/domain/table-layout';

const platform = usePlatform();

const fields = [{ name: 'n', type: 'integer' }];
/** One more that counts, and the import is given up. */
const ALMOST_ALL_ATTEMPTS = 19;

describe('a large import that has to wait for a transaction of others', () => {
  let owner: Client;
  let spaceId: string;
  let datasetId: string;

  beforeAll(async () => {
    const space = await platform.newSpace();
    owner = space.owner;
    spaceId = space.id;
  });

  beforeEach(async () => {
    datasetId = (await owner.post('/datasets', { name: 'Waits', schema: { fields } })).body.data.id;
  });

  const enqueue = async (): Promise<string> => {
    const [row] = await platform.database.query<{ id: string }>(
      `with job as (
         insert into dataset.imports (space_id, id, dataset_id, format, phase, parts, staged, attempts)
         values ($1, gen_random_uuid(), $2, 'ndjson', 'QUEUED', 1, 1, $3) returning space_id, id)
       insert into dataset.import_parts (space_id, import_id, part, rows)
       select space_id, id, 0, jsonb_build_array(jsonb_build_object('id', gen_random_uuid(), 'values', jsonb_build_object('c1', 1)))
       from job returning import_id as id`,
      [spaceId, datasetId, ALMOST_ALL_ATTEMPTS],
    );
    return row!.id;
  };
  const wasTried = (id: string) =>
    until(
      async () => {
        const [row] = await platform.database.query(
          'select 1 from dataset.imports where id = $1 and started_at is not null and worker is null',
          [id],
        );
        return row !== undefined;
      },
      { timeoutMs: 120_000 },
    );
  const ended = (id: string): Promise<string> =>
    until(
      async () => {
        const { phase } = (await owner.get(`/datasets/${datasetId}/imports/${id}`)).body.data;
        return ['SUCCEEDED', 'FAILED', 'CANCELLED'].includes(phase) ? (phase as string) : null;
      },
      { timeoutMs: 120_000 },
    );
  const count = async (): Promise<number> =>
    (await owner.post(`/datasets/${datasetId}/data/count`, {})).body.data.count;

  it('is not given up for one that began before it, and can be cancelled meanwhile', async () => {
    const other = new AdminDatabase(() => platform.state.databaseLogins['dataset'] ?? '');
    const letGo = await other.hold('select 1');
    let id: string;
    try {
      id = await enqueue();
      await wasTried(id);
      const cancelled = await enqueue();
      await owner.post(`/datasets/${datasetId}/imports/${cancelled}/cancel`, {});
      expect(await ended(cancelled)).toBe('CANCELLED');
      expect(await count()).toBe(0);
    } finally {
      await letGo();
      await other.close();
    }
    expect([await ended(id), await count()]).toEqual(['SUCCEEDED', 1]);
  }, 300_000);

  it('is not given up for one that holds what it needs', async () => {
    const letGo = await platform.database.hold(`lock table dataset.${tableOf(datasetId)} in share mode`);
    let id: string;
    try {
      id = await enqueue();
      await wasTried(id);
    } finally {
      await letGo();
    }
    expect([await ended(id), await count()]).toEqual(['SUCCEEDED', 1]);
  }, 300_000);
});
