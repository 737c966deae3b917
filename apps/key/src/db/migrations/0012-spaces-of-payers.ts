import { alterBriefly, buildIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An operator's decisions about a Space. Older Spaces, and those created by a replica of the previous version, have no
 * creator until the key service finds it (`OperatorListMaintenance`).
 */
export class SpacesOfPayers1700000000012 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(
      runner,
      `alter table spaces
        add column if not exists status text not null default 'ACTIVE',
        add column if not exists suspended_reason text,
        add column if not exists ceilings jsonb not null default '{}',
        add column if not exists made_by uuid,
        add column if not exists made_by_kind text,
        add column if not exists payer_kind text,
        add column if not exists payer_id uuid,
        add column if not exists unmetered boolean not null default false,
        add column if not exists starting_tokens bigint`,
      'alter table spaces drop constraint if exists spaces_status_check',
      'alter table spaces drop constraint if exists spaces_made_by_kind_check',
      'alter table spaces drop constraint if exists spaces_payer_check',
      `alter table spaces
        add constraint spaces_status_check check (status in ('ACTIVE', 'SUSPENDED')),
        add constraint spaces_made_by_kind_check check (made_by_kind in ('operator', 'user')),
        add constraint spaces_payer_check check ((payer_kind is null) = (payer_id is null) and payer_kind in ('space', 'user'))`,
    );
    await buildIndexes(runner, {
      spaces_without_a_maker: 'on spaces (created_at) where made_by_kind is null',
      spaces_by_maker: 'on spaces (made_by, created_at)',
      spaces_newest: 'on spaces (created_at desc, id desc)',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table spaces drop column status, drop column suspended_reason, drop column ceilings, drop column made_by,
         drop column made_by_kind, drop column payer_kind, drop column payer_id, drop column unmetered,
         drop column starting_tokens`,
    );
    await runner.query('drop index if exists spaces_newest');
  }
}
