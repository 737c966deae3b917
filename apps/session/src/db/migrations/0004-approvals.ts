import { alterBriefly, buildIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddApprovals1700000000004 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(
      runner,
      `alter table interactions
         add column if not exists purpose text not null default 'question',
         add column if not exists approver text,
         add column if not exists calls json,
         add column if not exists answered_by uuid,
         add column if not exists unrecorded json,
         drop constraint if exists interactions_purpose_check,
         drop constraint if exists interactions_approver_check,
         add constraint interactions_purpose_check check (purpose in ('question', 'approval')) not valid,
         add constraint interactions_approver_check check (approver in ('USER', 'ADMIN')) not valid`,
    );
    // Rows are looked at while others write.
    await alterBriefly(runner, 'alter table interactions validate constraint interactions_purpose_check');
    await alterBriefly(runner, 'alter table interactions validate constraint interactions_approver_check');
    await buildIndexes(runner, {
      // Turns are removed with their interactions: without it each removal reads the whole table.
      interactions_of_turn: 'on interactions (space_id, turn_key)',
      interactions_of_user: 'on interactions (space_id, user_id, id)',
      approvals_waiting: `on interactions (created_at) where status = 'PENDING' and purpose = 'approval'`,
      approvals_unrecorded: 'on interactions (answered_at) where unrecorded is not null',
      interactions_for_admins: `on interactions (space_id, id) where approver = 'ADMIN'`,
    });
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
