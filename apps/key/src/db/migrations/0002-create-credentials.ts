import { tenantTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateCredentials1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await tenantTable(
      runner,
      'api_keys',
      `name text not null,
       description text,
       type text not null check (type in ('USER', 'SYSTEM')),
       user_id uuid,
       application_id uuid,
       last4 text not null,
       scopes text[] not null,
       version integer not null default 1,
       expires_at timestamptz(3),
       last_used_at timestamptz(3),
       created_by uuid,
       created_at timestamptz(3) not null default now(),
       revoked_at timestamptz(3),
       check ((type = 'USER') = (user_id is not null)),
       check ((type = 'SYSTEM') = (application_id is not null))`,
    );
    await runner.query(`create index api_keys_newest on api_keys (space_id, created_at desc, id desc)`);
    await runner.query(`create index api_keys_of_a_user on api_keys (space_id, user_id)`);
    await runner.query(
      `create unique index api_keys_one_per_application on api_keys (space_id, application_id)
       where type = 'SYSTEM' and revoked_at is null`,
    );

    // The values of a key: the present one, and those that live on for a grace after a rotation.
    await tenantTable(
      runner,
      'api_key_values',
      `key_id uuid not null,
       digest bytea not null,
       pepper_version integer not null,
       ends_at timestamptz(3),
       created_at timestamptz(3) not null default now(),
       unique (space_id, digest),
       foreign key (space_id, key_id) references api_keys (space_id, id) on delete cascade`,
    );
    // Keys arrive without their Space, and a keyed digest of 256 bits names one row.
    await runner.query(`create index api_key_values_by_digest on api_key_values (digest)`);

    await tenantTable(
      runner,
      'sign_ins',
      `user_id uuid not null,
       created_at timestamptz(3) not null default now(),
       ends_at timestamptz(3) not null,
       revoked_at timestamptz(3),
       revoked_because text`,
    );
    await runner.query(`create index sign_ins_of_a_user on sign_ins (space_id, user_id) where revoked_at is null`);
    await runner.query(`create index sign_ins_by_id on sign_ins (id)`);

    await tenantTable(
      runner,
      'refresh_tokens',
      `sign_in_id uuid not null,
       digest bytea not null,
       ends_at timestamptz(3) not null,
       spent_at timestamptz(3),
       created_at timestamptz(3) not null default now(),
       unique (space_id, digest),
       foreign key (space_id, sign_in_id) references sign_ins (space_id, id) on delete cascade`,
    );
    await runner.query(`create index refresh_tokens_by_digest on refresh_tokens (digest)`);
    await runner.query(`create index refresh_tokens_of_a_sign_in on refresh_tokens (space_id, sign_in_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['refresh_tokens', 'sign_ins', 'api_key_values', 'api_keys']) {
      await runner.query(`drop table ${table}`);
    }
  }
}
