import { globalTable, tenantTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateIdentity1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await globalTable(
      runner,
      'users',
      `id uuid primary key,
       email text not null unique,
       name text not null,
       password_hash text,
       created_at timestamptz(3) not null default now()`,
    );
    await globalTable(
      runner,
      'external_identities',
      `issuer text not null,
       subject text not null,
       user_id uuid not null references users (id),
       created_at timestamptz(3) not null default now(),
       primary key (issuer, subject),
       unique (issuer, user_id)`,
    );
    await globalTable(
      runner,
      'signing_keys',
      `kid text primary key,
       algorithm text not null,
       stage text not null,
       public_jwk jsonb not null,
       sealed_private_jwk bytea not null,
       created_at timestamptz(3) not null default now(),
       current_since timestamptz(3),
       retire_at timestamptz(3)`,
    );
    await runner.query(`create unique index signing_keys_one_current on signing_keys (stage) where stage = 'CURRENT'`);

    // The row of a Space carries its settings and its webhook secret, so it is guarded like what belongs to it.
    await tenantTable(
      runner,
      'spaces',
      `name text not null,
       settings jsonb not null default '{}',
       sealed_webhook_secret bytea not null,
       created_at timestamptz(3) not null default now(),
       updated_at timestamptz(3) not null default now(),
       check (id = space_id)`,
    );
    await tenantTable(
      runner,
      'members',
      `user_id uuid not null,
       role text not null check (role in ('OWNER', 'ADMIN', 'MEMBER', 'VIEWER')),
       created_at timestamptz(3) not null default now(),
       unique (space_id, user_id)`,
    );
    await runner.query(`create index members_of_a_user on members (user_id, created_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['members', 'spaces', 'signing_keys', 'external_identities', 'users']) {
      await runner.query(`drop table ${table}`);
    }
  }
}
