import type { DataSource, DataSourceOptions } from 'typeorm';
import { type Table, entityOf } from './table';

/** TypeORM is loaded where a database is opened: the gateway, which shares this code, has none. */
export async function openSource(settings: DataSourceOptions, tables: readonly Table[]): Promise<DataSource> {
  const { DataSource: Source, EntitySchema } = await import('typeorm');
  const entities = tables.map((table) => entityOf(EntitySchema, table));
  return new Source({ ...settings, entities }).initialize();
}
