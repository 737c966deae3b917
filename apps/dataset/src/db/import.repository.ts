import { Injectable } from '@nestjs/common';
import type { ImportFormat } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import type { NewRow } from './record.repository';

export interface Staging {
  id: string;
  datasetId: string;
  format: ImportFormat;
  parts: number;
  staged: number;
}

/** Imports under way. Their rows wait here, checked, until all of them are there. */
@Injectable()
export class ImportRepository {
  async begin(tx: Tx, spaceId: string, id: string, datasetId: string, format: ImportFormat): Promise<void> {
    await tx.run('insert into imports (space_id, id, dataset_id, format) values ($1, $2, $3, $4)', [
      spaceId,
      id,
      datasetId,
      format,
    ]);
  }

  /** Held until the transaction ends, so that parts come in one after the other. */
  async lock(tx: Tx, spaceId: string, id: string): Promise<Staging> {
    const row = await tx.one<Staging>(
      'select id, dataset_id, format, parts, staged from imports where space_id = $1 and id = $2 for update',
      [spaceId, id],
    );
    if (row === null) throw new AppError('NOT_FOUND', 'There is no import with this id; begin again.');
    return row;
  }

  async append(tx: Tx, spaceId: string, id: string, part: number, rows: readonly NewRow[]): Promise<void> {
    await tx.run('insert into import_parts (space_id, import_id, part, rows) values ($1, $2, $3, $4)', [
      spaceId,
      id,
      part,
      JSON.stringify(rows),
    ]);
    await tx.run('update imports set parts = $3, staged = staged + $4 where space_id = $1 and id = $2', [
      spaceId,
      id,
      part + 1,
      rows.length,
    ]);
  }

  async part(tx: Tx, spaceId: string, id: string, part: number): Promise<NewRow[]> {
    const row = await tx.one<{ rows: NewRow[] }>(
      'select rows from import_parts where space_id = $1 and import_id = $2 and part = $3',
      [spaceId, id, part],
    );
    return row?.rows ?? [];
  }

  async end(tx: Tx, spaceId: string, id: string): Promise<void> {
    await tx.run('delete from imports where space_id = $1 and id = $2', [spaceId, id]);
  }

  async forgetOld(tx: Tx): Promise<number> {
    return tx.count(`delete from imports where created_at < clock_timestamp() - interval '1 day'`);
  }
}
