import { schemaOfService } from '../options';
import { openSource } from './open-typeorm';
import type { Table } from './table';

/** Statements that TypeORM would run to reach the declared tables; none if the migrations agree. */
export async function schemaDifference(adminUrl: string, service: string, tables: readonly Table[]): Promise<string[]> {
  const schema = schemaOfService(service);
  const source = await openSource(
    { type: 'postgres', url: adminUrl, schema, installExtensions: false, poolSize: 1 },
    tables,
  );
  try {
    const { upQueries } = await source.driver.createSchemaBuilder().log();
    return upQueries.map(({ query }) => query);
  } finally {
    await source.destroy();
  }
}
