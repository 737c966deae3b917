import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ServiceMigrations } from '@switchyard/database';

/** The migrations that a built service ships. */
export async function migrationsOf(service: string): Promise<ServiceMigrations['migrations']> {
  const file = path.join(__dirname, '../../apps', service, 'src/db/migrations/index.js');
  if (!existsSync(file)) return [];
  const module = (await import(file)) as { migrations: ServiceMigrations['migrations'] };
  return module.migrations;
}
