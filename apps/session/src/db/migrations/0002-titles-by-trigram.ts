import { OnlineMigration, buildIndexes, dropIndexes } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds words in titles by their trigrams. Space and user stand before them, so titles of others are not read. New
 * entries wait in a list that each search reads, which stays short.
 *
 * A database that lacks the extensions, or whose owner may not create them, has no such index; its searches read the
 * titles in `sessions_of_a_user_with_titles`.
 */
export class TitlesByTrigram1700000002000 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const trigrams = await schemaOfExtension(runner, 'pg_trgm');
    const uuids = await schemaOfExtension(runner, 'btree_gin');
    if (trigrams === null || uuids === null) return;
    await buildIndexes(runner, {
      sessions_by_trigrams_of_title: `on sessions using gin
        (space_id ${uuids}.uuid_ops, user_id ${uuids}.uuid_ops, lower(title) ${trigrams}.gin_trgm_ops)
        with (gin_pending_list_limit = 256) where status = 'ACTIVE'`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndexes(runner, 'sessions_by_trigrams_of_title');
  }
}

/** Null if the extension cannot be had. */
async function schemaOfExtension(runner: QueryRunner, extension: string): Promise<string | null> {
  await createIfAllowed(runner, extension);
  const [found] = (await runner.query(
    `select quote_ident(n.nspname) as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace
      where e.extname = $1`,
    [extension],
  )) as { schema: string }[];
  return found?.schema ?? null;
}

const createIfAllowed = (runner: QueryRunner, extension: string): Promise<unknown> =>
  runner.query(`do $$ begin
      if exists (select 1 from pg_available_extensions where name = '${extension}') then
        create extension if not exists ${extension};
      end if;
    exception when insufficient_privilege then null;
    end $$`);
