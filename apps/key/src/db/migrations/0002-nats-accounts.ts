import { createIndexes, globalTable, tenantTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Accounts of services on NATS. `user_revision` brought the present user, `removed_revision` took the last removed one
 * away. Public keys stay for ever, so that none is used twice.
 */
export class NatsAccounts1700000001001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await tenantTable(
      runner,
      'nats_accounts',
      `account_id text not null,
       name text not null,
       role text not null check (role in ('ADMIN', 'MEMBER', 'VIEWER')),
       scopes text[] not null,
       limits jsonb not null default '{}',
       version int not null default 1,
       public_key text not null,
       previous_public_key text,
       previous_until timestamptz(3),
       user_revision bigint not null,
       removed_revision bigint,
       admitted_at timestamptz(3),
       made_by_key uuid,
       created_by uuid,
       created_at timestamptz(3) not null default now(),
       revoked_at timestamptz(3),
       last_used_at timestamptz(3),
       check ((previous_public_key is null) = (previous_until is null))`,
    );
    await createIndexes(runner, {
      nats_accounts_newest: 'on nats_accounts (space_id, created_at desc, id desc)',
      nats_accounts_by_id: 'on nats_accounts (id)',
      nats_accounts_by_account_id: 'unique on nats_accounts (account_id)',
      nats_accounts_one_of_a_name: 'unique on nats_accounts (space_id, name) where revoked_at is null',
      nats_accounts_not_admitted: 'on nats_accounts (user_revision) where admitted_at is null and revoked_at is null',
      nats_accounts_in_grace: 'on nats_accounts (previous_until) where previous_until is not null',
    });
    await tenantTable(
      runner,
      'nats_user_keys',
      `actor_id uuid not null,
       public_key text not null,
       shown_to uuid,
       created_at timestamptz(3) not null default now()`,
    );
    await createIndexes(runner, {
      nats_user_keys_one_of_each: 'unique on nats_user_keys (public_key)',
      nats_user_keys_by_reader: 'on nats_user_keys (space_id, shown_to) where shown_to is not null',
    });
    await globalTable(
      runner,
      'nats_revision',
      `id int primary key check (id = 1),
       revision bigint not null,
       loaded_revision bigint not null`,
    );
    await runner.query('insert into nats_revision (id, revision, loaded_revision) values (1, 0, 0)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table nats_revision');
    await runner.query('drop table nats_user_keys');
    await runner.query('drop table nats_accounts');
  }
}
