import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddApprovals1700000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table interactions
         add column purpose text not null default 'question' check (purpose in ('question', 'approval')),
         add column approver text check (approver in ('USER', 'ADMIN')),
         add column calls json,
         add column answered_by uuid,
         add column unrecorded json`,
    );
    // Turns are removed with their interactions: without it each removal reads the whole table.
    await runner.query(`create index interactions_of_turn on interactions (space_id, turn_key)`);
    await runner.query(`create index interactions_of_user on interactions (space_id, user_id, id)`);
    await runner.query(
      `create index approvals_waiting on interactions (created_at) where status = 'PENDING' and purpose = 'approval'`,
    );
    await runner.query(`create index approvals_unrecorded on interactions (answered_at) where unrecorded is not null`);
    await runner.query(`create index interactions_for_admins on interactions (space_id, id) where approver = 'ADMIN'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `drop index approvals_unrecorded, approvals_waiting, interactions_for_admins, interactions_of_user, interactions_of_turn`,
    );
    await runner.query(
      `alter table interactions drop column unrecorded, drop column answered_by, drop column calls, drop column approver, drop column purpose`,
    );
  }
}
