import { until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

describe('the texts of an import that a job wrote', () => {
  it('are found by a search that comes right after its end, before they were queued', async () => {
    const { id: spaceId, owner } = await platform.newSpace();
    const fields = [{ name: 'text', type: 'text', vector: true }];
    const { id } = (await owner.post('/datasets', { name: 'Texts', schema: { fields } })).body.data;
    const text = 'a lighthouse keeper writes letters';
    const [job] = await platform.database.query<{ id: string }>(
      `with job as (
         insert into dataset.imports (space_id, id, dataset_id, format, phase, parts, staged, created_by, due_at)
         values ($1, gen_random_uuid(), $2, 'ndjson', 'QUEUED', 1, 1, $4, clock_timestamp() + interval '1 hour') returning space_id, id)
       insert into dataset.import_parts (space_id, import_id, part, rows)
       select space_id, id, 0, jsonb_build_array(jsonb_build_object('id', gen_random_uuid(), 'values', jsonb_build_object('c1', $3::text)))
       from job returning import_id as id`,
      [spaceId, id, text, owner.identity.userId],
    );
    // The job reads its part. Letting go of the part, and queueing its text with that, has to wait.
    const letGo = await platform.database.hold(
      `select 1 from dataset.import_parts where import_id = '${job!.id}' for update`,
    );
    let isLeased = true;
    const release = async (): Promise<void> => {
      if (isLeased) await letGo();
      isLeased = false;
    };
    try {
      await platform.database.query('update dataset.imports set due_at = clock_timestamp() where id = $1', [job!.id]);
      await until(async () => (await owner.get(`/datasets/${id}/imports/${job!.id}`)).body.data.phase === 'SUCCEEDED', {
        timeoutMs: 60_000,
      });
      setTimeout(() => void release(), 500);
      const found = await owner.post(`/datasets/${id}/data/search`, { query: text });
      expect([found.status, found.body.data[0]?.record.text]).toEqual([200, text]);
    } finally {
      await release();
    }
  });
});
