import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantTable } from '@switchyard/database';

/** How many bytes the frames of each turn take of the stream. The id is the turn's key. */
export class CountKeptFrames1700000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await tenantTable(
      runner,
      'kept_frames',
      `bytes bigint not null,
       is_running boolean not null,
       written_at timestamptz not null default now()`,
    );
    await runner.query(
      'create index kept_frames_oldest on kept_frames (space_id, is_running, written_at) include (bytes)',
    );
    await runner.query('create index kept_frames_age on kept_frames (written_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table kept_frames');
  }
}
