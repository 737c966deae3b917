import type { MigrationInterface, QueryRunner } from 'typeorm';
import { globalTable } from './tables';

/**
 * Losses of work. `running_work` marks work in progress without a lease; it is unlogged, so marks cost no WAL and are
 * cleared by a database crash.
 */
export class CountLostWork1700000000505 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await globalTable(
      runner,
      'lost_work',
      `kind text not null, id uuid not null, space_id uuid, losses int not null,
       lost_at timestamptz not null default clock_timestamp(), lost_by text, given_up_at timestamptz, primary key (kind, id)`,
    );
    await runner.query('create index lost_work_age on lost_work (lost_at)');
    await runner.query('create index lost_work_of_id on lost_work (id)');
    await runner.query(
      `create unlogged table running_work (
         worker text not null, slot text not null, kind text not null, ids uuid[] not null, is_alone boolean not null default false,
         at timestamptz not null default clock_timestamp(), primary key (worker, slot))
       with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)`,
    );
    await runner.query('alter table dead_letter add column if not exists space_id uuid');
    await runner.query(
      `update dead_letter set space_id = (body::json #>> '{ctx,spaceId}')::uuid where space_id is null`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table lost_work, running_work');
    await runner.query('alter table dead_letter drop column space_id');
  }
}

/** Ids that clients choose are unique in their Space only, so work is counted by our id and shown by theirs. */
export class ShowLostWork1700000000506 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table lost_work add column if not exists shown_id uuid');
    await runner.query('create index if not exists lost_work_shown on lost_work (shown_id) where shown_id is not null');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table lost_work drop column shown_id');
  }
}
