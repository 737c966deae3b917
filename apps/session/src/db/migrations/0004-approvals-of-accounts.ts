import { OnlineMigration, alterBriefly, buildIndexes } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Approvals in turns of NATS accounts, which an ADMIN answers in place of a user. */
export class ApprovalsOfAccounts1700000004001 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(
      runner,
      'alter table interactions add column if not exists of_account boolean not null default false',
    );
    await buildIndexes(runner, { interactions_of_accounts: 'on interactions (space_id, id) where of_account' });
  }

  async down(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table interactions drop column if exists of_account');
  }
}
