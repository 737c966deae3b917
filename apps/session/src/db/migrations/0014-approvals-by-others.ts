import { alterBriefly, buildIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const check = (approvers: string): string =>
  `alter table interactions drop constraint if exists interactions_approver_check,
     add constraint interactions_approver_check check (approver in (${approvers})) not valid`;

export class ApprovalsByOthers1700000000014 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, check(`'USER', 'ADMIN', 'OTHER', 'OTHER_ADMIN'`));
    await alterBriefly(runner, 'alter table interactions validate constraint interactions_approver_check');
    await buildIndexes(runner, {
      interactions_for_others: `on interactions (space_id, id) where approver in ('OTHER', 'OTHER_ADMIN')`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index interactions_for_others');
    await runner.query(check(`'USER', 'ADMIN'`));
  }
}
