import type { DatasetView } from '@switchyard/contracts';
import type { PageWindow, Tx } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { shownSchema } from '../domain/check-schema';
import { type StoredField, type StoredSchema, tableOf } from '../domain/layout';

interface DatasetRow {
  id: string;
  name: string;
  description: string | null;
  schema: StoredSchema;
  version: number;
  recordCount: number;
  createdBy: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface NewDataset {
  id: string;
  name: string;
  description: string | null;
  schema: StoredSchema;
  createdBy: string | null;
}

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

export async function createDataset(tx: Tx, spaceId: string, dataset: NewDataset): Promise<DatasetView> {
  await tx.run(
    'insert into datasets (space_id, id, name, description, schema, created_by) values ($1, $2, $3, $4, $5, $6)',
    [spaceId, dataset.id, dataset.name, dataset.description, JSON.stringify(dataset.schema), dataset.createdBy],
  );
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
): Promise<DatasetView[]> {
  const rows = await tx.query<DatasetRow>(
    `select ${COLUMNS} from datasets d
     where d.space_id = $1 and ($2::uuid is null or d.id < $2) and ($3::text is null or strpos(lower(d.name), lower($3)) > 0)
     order by d.id desc limit $4`,
    [spaceId, page.after, page.name, page.take],
  );
  return rows.map(viewOf);
}

/** The schema as it is stored, held against other changes until the transaction ends. */
export async function lockSchema(tx: Tx, spaceId: string, id: string): Promise<StoredSchema> {
  const row = await tx.one<{ schema: StoredSchema }>(
    'select schema from datasets where space_id = $1 and id = $2 for no key update',
    [spaceId, id],
  );
  if (row === null) throw noDataset();
  return row.schema;
}

export async function changeDataset(tx: Tx, spaceId: string, id: string, change: DatasetChange): Promise<void> {
  await tx.run(
    `update datasets set name = coalesce($3, name), description = case when $4 then $5 else description end,
       schema = coalesce($6, schema), version = version + 1, updated_at = clock_timestamp()
     where space_id = $1 and id = $2`,
    [
      spaceId,
      id,
      change.name ?? null,
      change.description !== undefined,
      change.description ?? null,
      change.schema === undefined ? null : JSON.stringify(change.schema),
    ],
  );
}

/** Everybody who uses the table queues behind this, so it waits for its turn only for a moment. */
export async function addColumns(tx: Tx, id: string, fields: readonly StoredField[]): Promise<void> {
  await tx.run(`set local lock_timeout = '400ms'`);
  await tx.run('select add_record_columns($1, $2)', [id, JSON.stringify(fields)]);
}

/** Somebody else held the table for longer than we waited. */
export const isHeldByOthers = (error: unknown): boolean =>
  error instanceof AppError && (error.cause as { code?: string } | undefined)?.code === '55P03';

/** The table is taken before the dataset's own rows, which is the order of those who write records. */
export async function deleteDataset(tx: Tx, spaceId: string, id: string): Promise<void> {
  await getDataset(tx, spaceId, id);
  await tx.run(`lock table ${tableOf(id)} in access exclusive mode`).catch(refuseIfGone);
  const found = await tx.count('delete from datasets where space_id = $1 and id = $2', [spaceId, id]);
  if (found === 0) throw noDataset();
  await tx.run('select drop_record_table($1)', [id]);
}

/** The table was there when the dataset was looked up, and went before it was used. */
export const isTableGone = (error: unknown): boolean =>
  ((error instanceof AppError ? error.cause : error) as { code?: string } | undefined)?.code === '42P01';

export const refuseIfGone = (error: unknown): never => {
  throw isTableGone(error) ? noDataset() : error;
};
