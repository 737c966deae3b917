import { Injectable } from '@nestjs/common';
import type { WriteOperation } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { upToBytes } from '@switchyard/kernel';
import { LRUCache } from 'lru-cache';
import { fieldBytes } from '../domain/enum-values';
import { type Layout, layoutOf, type StoredSchema } from '../domain/table-layout';
import { noDataset } from './dataset.repository';

/** Fields can have long lists of values and defaults. */
const KEPT_BYTES = 32 * 1024 * 1024;
const COLUMN_BYTES = 500;

export interface WriteLayout {
  layout: Layout;
  watched: ReadonlySet<WriteOperation>;
}

interface VersionRow {
  version: number;
  hasPieces: boolean;
  watched?: WriteOperation[] | null;
}

const VERSION = {
  name: 'layout-version',
  sql: 'select version, has_pieces from datasets where space_id = $1 and id = $2',
};

/** As a read has it behind its own statements. */
export const VERSION_READ = {
  name: 'layout-version-read',
  sql: 'select version, has_pieces, largest_record(space_id, id) as largest from datasets where space_id = $1 and id = $2',
};

const keyOf = (spaceId: string, datasetId: string): string => `${spaceId}/${datasetId}`;

/** The layouts of datasets. Each use asks the database for the version, so a change elsewhere is never missed. */
@Injectable()
export class LayoutCache {
  private readonly kept = new LRUCache<string, Layout>(
    upToBytes(KEPT_BYTES, ({ columns }) =>
      columns.reduce((sum, { field }) => sum + COLUMN_BYTES + fieldBytes(field), 0),
    ),
  );

  /** The cached layout, for reads that verify the version in their own statement. */
  peek(spaceId: string, datasetId: string): Layout | undefined {
    return this.kept.get(keyOf(spaceId, datasetId));
  }

  async get(tx: Tx, spaceId: string, datasetId: string): Promise<Layout> {
    const [row] = await tx.prepared<VersionRow>(VERSION.name, VERSION.sql, [spaceId, datasetId]);
    return this.ofVersion(tx, spaceId, datasetId, row);
  }

  /** As `get`, and says which writes have to be announced. */
  async forWriting(tx: Tx, spaceId: string, datasetId: string): Promise<WriteLayout> {
    const [row] = await tx.prepared<VersionRow>(
      'layout-for-writing',
      `select version, has_pieces, (select array_agg(distinct o) from dataset_watches w, unnest(w.operations) o
         where w.space_id = d.space_id and w.dataset_id = d.id) as watched
       from datasets d where d.space_id = $1 and d.id = $2`,
      [spaceId, datasetId],
    );
    return { layout: await this.ofVersion(tx, spaceId, datasetId, row), watched: new Set(row?.watched ?? []) };
  }

  private async ofVersion(tx: Tx, spaceId: string, datasetId: string, row: VersionRow | undefined): Promise<Layout> {
    if (row === undefined) throw noDataset();
    const stored = this.kept.get(keyOf(spaceId, datasetId));
    if (stored?.version === row.version && stored.hasPieces === row.hasPieces) return stored;
    const read = await tx.one<{ version: number; schema: StoredSchema; hasPieces: boolean }>(
      'select version, schema, has_pieces from datasets where space_id = $1 and id = $2',
      [spaceId, datasetId],
    );
    if (read === null) throw noDataset();
    const layout = layoutOf(datasetId, read.version, read.schema, read.hasPieces);
    this.kept.set(keyOf(spaceId, datasetId), layout);
    return layout;
  }
}
