import { alterBriefly, asOwner, buildIndexes, inBatches, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Versions of an agent that is no more go a while after it; a turn that it has begun may still need them. */
export class LetVersionsGo1700000000006 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table agent_versions add column if not exists removed_at timestamptz');
    await buildIndexes(runner, {
      agent_versions_removed: 'on agent_versions (removed_at) where removed_at is not null',
    });
    await asOwner(runner, ['agents', 'agent_versions'], () =>
      inBatches(
        runner,
        `with marked as (
           update agent_versions set removed_at = now() where ctid = any(array(
             select v.ctid from agent_versions v where v.removed_at is null
                and not exists (select 1 from agents a where a.space_id = v.space_id and a.id = v.agent_id) limit 1000))
           returning 1)
         select count(*) as n from marked`,
      ),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index agent_versions_removed');
    await runner.query('alter table agent_versions drop column removed_at');
  }
}
