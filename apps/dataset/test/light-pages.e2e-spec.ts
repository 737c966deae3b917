import { Database } from '@switchyard/database';
import { usePlatform } from '@switchyard/testing';
import { listDatasets } from '../src/db/dataset.repository';

const platform = usePlatform();
const log = { warn: () => undefined, error: () => undefined };
const PAGE_BYTES = 2 * 1024 * 1024;
const COUNT = 5;

describe('a page of datasets', () => {
  it('is cut to 2 MiB by the database, which does not send the other schemas', async () => {
    const { id: spaceId, owner } = await platform.newSpace();
    for (let n = 0; n < COUNT; n += 1) {
      const schema = { fields: [{ name: 'title', type: 'string', enum: ['a'] }] };
      expect((await owner.post('/datasets', { name: `D${n}`, schema })).status).toBe(201);
    }
    // As schemas could be before they had a limit.
    await platform.database.query(
      `update dataset.datasets set schema = jsonb_set(schema, '{fields,0,enum}', jsonb_build_array(repeat('x', 700000))) where space_id = $1`,
      [spaceId],
    );
    const url = platform.state.databaseLogins['dataset'] ?? '';
    const database = new Database({ service: 'dataset', url, poolSize: 1, log });
    await database.connect();
    const { rows, found } = await database.inSpace(spaceId, (tx) =>
      listDatasets(tx, spaceId, { after: null, take: 101, name: null }),
    );
    await database.close();
    expect([found, rows.length]).toEqual([COUNT, 2]);
    expect(Buffer.byteLength(JSON.stringify(rows))).toBeLessThan(PAGE_BYTES * 1.1);
  });
});
