import { Injectable } from '@nestjs/common';
import type { Read, Tx } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import type { Detected, Extension } from '../domain/pgvector-detection';
import type { ChangedVector, VectorChange } from './vectors.repository';

/** The table of one field's vectors. `horizon`: what changed in transactions from here on may not be in it yet. */
export interface VectorTable {
  spaceId: string;
  datasetId: string;
  field: number;
  dimensions: number;
  filled: boolean;
  horizon: string;
}

const nameOf = (table: VectorTable): string => vectorTableOf(table.datasetId, table.field);

export const vectorTableOf = (datasetId: string, field: number): string =>
  `dv_${datasetId.replaceAll('-', '')}_${field}`;

/** pgvector reads a vector as its length and big-endian floats; ours are kept as little-endian ones. */
export function wireVector(bytes: Buffer): Buffer {
  const wire = Buffer.alloc(4 + bytes.length);
  wire.writeUInt16BE(bytes.length / 4, 0);
  bytes.copy(wire, 4);
  wire.subarray(4).swap32();
  return wire;
}

/** The table, its column or the type is not there: the extension was dropped, and took them with it. */
export function isTableLost(error: unknown): boolean {
  const inner = error instanceof AppError ? error.cause : error;
  return ['42P01', '42703', '42704', '42883'].includes((inner as { code?: string } | undefined)?.code ?? '');
}

const COLUMNS = 'space_id, dataset_id, field, dimensions, filled, horizon::text as horizon';

/** Rows to synchronize: vectors that are missing or outdated in the table, and deleted ones that it still has. */
const lateSql = (table: string, horizon = '$4::xid8', dimensions = '$5'): string =>
  `record_vectors v left join ${table} d on d.space_id = v.space_id and d.record_id = v.record_id
   where v.space_id = $1 and v.dataset_id = $2 and v.field = $3 and v.changed_in >= ${horizon}
     and ((v.state = 'READY' and length(v.vector) = 4 * ${dimensions} and d.revision is distinct from v.revision) or (v.state = 'GONE' and d.record_id is not null))`;

const lateParams = (table: VectorTable): unknown[] => [
  table.spaceId,
  table.datasetId,
  table.field,
  table.horizon,
  table.dimensions,
];

@Injectable()
export class PgvectorTablesRepository {
  async detect(tx: Tx): Promise<Detected | null> {
    return tx.one<Detected>('select home, version, problem from enable_pgvector()');
  }

  /** Tables that lost their vectors, because the extension was dropped and came back. They are made again. */
  async forgetLost(tx: Tx): Promise<void> {
    await tx.run(
      `delete from vector_tables t where not exists (select 1 from pg_attribute a
         where a.attrelid = to_regclass('dv_' || replace(t.dataset_id::text, '-', '') || '_' || t.field)
           and a.attname = 'embedding' and not a.attisdropped)`,
    );
  }

  async isMade(tx: Tx, spaceId: string, datasetId: string, field: number): Promise<boolean> {
    const row = await tx.one(
      'select 1 as one from vector_tables where space_id = $1 and dataset_id = $2 and field = $3',
      [spaceId, datasetId, field],
    );
    return row !== null;
  }

  /** Held until the transaction ends, so that one process at a time brings a table up to date. */
  async hold(tx: Tx, spaceId: string, datasetId: string, field: number): Promise<VectorTable | null> {
    return tx.one<VectorTable>(
      `select ${COLUMNS} from vector_tables where space_id = $1 and dataset_id = $2 and field = $3 for update`,
      [spaceId, datasetId, field],
    );
  }

  /** A new, empty table for vectors of this length, in place of an earlier one. */
  async make(tx: Tx, spaceId: string, datasetId: string, field: number, dimensions: number): Promise<void> {
    await tx.run(
      `insert into vector_tables (space_id, dataset_id, field, dimensions) values ($1, $2, $3, $4)
       on conflict (space_id, dataset_id, field) do update set dimensions = excluded.dimensions, filled = false, horizon = '0'`,
      [spaceId, datasetId, field, dimensions],
    );
    await tx.run('select make_vector_table($1, $2::smallint, $3)', [datasetId, field, dimensions]);
  }

  /** The length of the newest vector of a field, from which its table is made. */
  async dimensions(tx: Tx, spaceId: string, datasetId: string, field: number): Promise<number | null> {
    const row = await tx.one<{ dimensions: number }>(
      `select length(vector) / 4 as dimensions from record_vectors
       where space_id = $1 and dataset_id = $2 and field = $3 and state = 'READY' order by changed_in desc limit 1`,
      [spaceId, datasetId, field],
    );
    return row?.dimensions ?? null;
  }

  async late(tx: Tx, table: VectorTable, most: number): Promise<ChangedVector[]> {
    return tx.query<ChangedVector>(
      `select v.record_id, v.field, v.revision, v.vector, v.changed_in::text as changed_in
       from ${lateSql(nameOf(table))} order by v.changed_in, v.record_id limit $6`,
      [...lateParams(table), most],
    );
  }

  /** How the table of a field stands, and how many changes it is behind, counted no further than `most`. */
  standing(spaceId: string, datasetId: string, field: number, most: number): Read {
    const late = lateSql(vectorTableOf(datasetId, field), 't.horizon', 't.dimensions');
    return {
      sql: `select t.filled, t.dimensions, (select count(*)::int from (select 1 from ${late} limit $4) l) as late
        from vector_tables t where t.space_id = $1 and t.dataset_id = $2 and t.field = $3`,
      params: [spaceId, datasetId, field, most],
    };
  }

  async put(tx: Tx, { home }: Extension, table: VectorTable, rows: readonly VectorChange[]): Promise<void> {
    if (rows.length === 0) return;
    const params: unknown[] = [table.spaceId];
    const values = rows.map((row) => {
      params.push(row.recordId, row.revision, wireVector(row.vector ?? Buffer.alloc(0)));
      const at = params.length;
      return `($1::uuid, $${at - 2}::uuid, $${at - 1}::int, $${at}::${home}.vector)`;
    });
    await tx.run(
      `insert into ${nameOf(table)} (space_id, record_id, revision, embedding) values ${values.join(', ')}
       on conflict (space_id, record_id) do update set revision = excluded.revision, embedding = excluded.embedding`,
      params,
    );
  }

  async remove(tx: Tx, table: VectorTable, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await tx.run(`delete from ${nameOf(table)} where space_id = $1 and record_id = any($2::uuid[])`, [
      table.spaceId,
      ids,
    ]);
  }

  async advance(
    tx: Tx,
    spaceId: string,
    datasetId: string,
    field: number,
    horizon: string,
    filled: boolean,
  ): Promise<void> {
    await tx.run(
      `update vector_tables set horizon = greatest(horizon, $4::xid8), filled = filled or $5
       where space_id = $1 and dataset_id = $2 and field = $3`,
      [spaceId, datasetId, field, horizon, filled],
    );
  }

  /**
   * Some datasets with vectors that a table may lack: made before the extension came, or written by another version.
   * In any order, because there may be some that no table can be made for.
   */
  async behind(tx: Tx, most: number): Promise<{ spaceId: string; datasetId: string }[]> {
    return tx.query(
      `select d.space_id, d.id as dataset_id from datasets d
       where exists (select 1 from record_vectors v
         left join vector_tables t on t.space_id = v.space_id and t.dataset_id = v.dataset_id and t.field = v.field
         where v.space_id = d.space_id and v.dataset_id = d.id and v.state in ('READY', 'GONE')
           and v.changed_in >= coalesce((select h.horizon from vector_tables h
             where h.space_id = d.space_id and h.dataset_id = d.id order by h.horizon limit 1), '0'::xid8)
           and (t.field is not null or v.state = 'READY')
           and (t.filled is not true or v.changed_in >= t.horizon))
       order by random() limit $1`,
      [most],
    );
  }
}
