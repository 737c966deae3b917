import type { DatasetView } from '@switchyard/contracts';
import { type PageWindow, type RowOf, type Tx, type Weighed, lightPage } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { shownSchema } from '../domain/check-schema';
import { type StoredField, type StoredSchema, tableOf } from '../domain/table-layout';
import { datasets } from './tables';

interface DatasetRow extends Omit<RowOf<typeof datasets>, 'spaceId' | 'announced' | 'hasPieces'> {
  recordCount: number;
}

export type NewDataset = Pick<DatasetRow, 'id' | 'name' | 'description' | 'schema' | 'createdBy'>;

export interface DatasetChange {
  name?: string;
  description?: string | null;
  schema?: StoredSchema;
}

const COLUMNS = `d.id, d.name, d.description, d.schema, d.version, d.created_by, d.created_at, d.updated_at,
  (select coalesce(sum(n.records), 0)::bigint from dataset_counts n where n.space_id = d.space_id and n.dataset_id = d.id) as record_count`;

const viewOf = (row: DatasetRow): DatasetView => ({
  id: row.id,
  name: row.name,
  description: row.description,
  schema: shownSchema(row.schema),
  recordCount: row.recordCount,
  version: row.version,
  createdBy: row.createdBy,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

export const noDataset = (): AppError => new AppError('NOT_FOUND', 'There is no dataset with this id.');

export async function countDatasets(tx: Tx, spaceId: string): Promise<number> {
  const row = await tx.one<{ count: number }>('select count(*)::int as count from datasets where space_id = $1', [
    spaceId,
  ]);
  return row?.count ?? 0;
}

export async function createDataset(tx: Tx, spaceId: string, dataset: NewDataset): Promise<DatasetView> {
  await tx.rows(datasets).insert({ spaceId, ...dataset });
  await tx.run('select make_record_table($1, $2)', [dataset.id, JSON.stringify(dataset.schema.fields)]);
  return getDataset(tx, spaceId, dataset.id);
}

export async function getDataset(tx: Tx, spaceId: string, id: string): Promise<DatasetView> {
  const row = await tx.one<DatasetRow>(`select ${COLUMNS} from datasets d where d.space_id = $1 and d.id = $2`, [
    spaceId,
    id,
  ]);
  if (row === null) throw noDataset();
  return viewOf(row);
}

export async function listDatasets(
  tx: Tx,
  spaceId: string,
  page: PageWindow<string> & { name: string | null },
): Promise<{ rows: DatasetView[]; found: number }> {
  const rows = await tx.query<DatasetRow & Weighed>(
    lightPage(
      `select ${COLUMNS} from datasets d
     where d.space_id = $1 and ($2::uuid is null or d.id < $2) and ($3::text is null or strpos(lower(d.name), lower($3)) > 0)
     order by d.id desc limit $4`,
      'id desc',
      ['schema'],
    ),
    [spaceId, page.after, page.name, page.take],
  );
  return { rows: rows.map(viewOf), found: rows[0]?.found ?? 0 };
}

/** The schema as it is stored, held against other changes until the transaction ends. */
export async function lockSchema(tx: Tx, spaceId: string, id: string): Promise<StoredSchema> {
  const row = await tx.rows(datasets).only('schema').lockForChange({ spaceId, id });
  if (row === null) throw noDataset();
  return row.schema;
}

export async function changeDataset(tx: Tx, spaceId: string, id: string, change: DatasetChange): Promise<void> {
  await tx.rows(datasets).save({ spaceId, id }, change);
}

/** Everybody who uses the table queues behind this, so it waits for its turn only for a moment. */
export async function addColumns(tx: Tx, id: string, fields: readonly StoredField[]): Promise<void> {
  await tx.run(`set local lock_timeout = '400ms'`);
  await tx.run('select add_record_columns($1, $2)', [id, JSON.stringify(fields)]);
}

/** Another transaction locked the table for longer than the lock timeout. */
export const isLockedByOthers = (error: unknown): boolean =>
  error instanceof AppError && (error.cause as { code?: string } | undefined)?.code === '55P03';

/** The table is taken before the dataset's own rows, which is the order of those who write records. */
export async function deleteDataset(tx: Tx, spaceId: string, id: string): Promise<void> {
  await getDataset(tx, spaceId, id);
  await tx.run(`lock table ${tableOf(id)} in access exclusive mode`).catch(refuseIfGone);
  const found = await tx.rows(datasets).remove({ spaceId, id });
  if (found === 0) throw noDataset();
  await tx.run('select drop_record_table($1)', [id]);
}

/** The table was there when the dataset was looked up, and went before it was used. */
export const isTableGone = (error: unknown): boolean =>
  ((error instanceof AppError ? error.cause : error) as { code?: string } | undefined)?.code === '42P01';

export const refuseIfGone = (error: unknown): never => {
  throw isTableGone(error) ? noDataset() : error;
};
