import type { DataSource, DataSourceOptions } from 'typeorm';
import { type Table, entityOf } from './table';

/** Loads TypeORM on demand: the gateway shares this code and has no database. */
export async function openSource(settings: DataSourceOptions, tables: readonly Table[]): Promise<DataSource> {
  const { DataSource: Source, EntitySchema } = await import('typeorm');
  const entities = tables.map((table) => entityOf(EntitySchema, table));
  return new Source({ ...settings, entities }).initialize();
}
