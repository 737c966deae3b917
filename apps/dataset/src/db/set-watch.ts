import type { SetWatch } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { getDataset } from './dataset.repository';

/** Replaces what one watcher watches. Removing a watch of a dataset that is gone is no mistake. */
export async function setWatch(tx: Tx, spaceId: string, watch: SetWatch): Promise<void> {
  if (watch.operations.length === 0) {
    await tx.run('delete from dataset_watches where space_id = $1 and dataset_id = $2 and watcher_id = $3', [
      spaceId,
      watch.datasetId,
      watch.watcherId,
    ]);
    return;
  }
  await getDataset(tx, spaceId, watch.datasetId);
  const { rowCount } = await tx.run(
    `insert into dataset_watches (space_id, dataset_id, watcher_id, operations)
     select d.space_id, d.id, $3::uuid, $4::text[] from datasets d where d.space_id = $1 and d.id = $2 for key share
     on conflict (space_id, dataset_id, watcher_id) do update set operations = excluded.operations`,
    [spaceId, watch.datasetId, watch.watcherId, watch.operations],
  );
  // It was deleted since.
  if (rowCount === 0) await getDataset(tx, spaceId, watch.datasetId);
}
