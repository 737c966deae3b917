import { alterBriefly, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Answering approvals becomes a scope of its own, which `*` does not hold. Keys that could answer until now keep it, and
 * `legacy_scopes` tells it apart from what somebody has named.
 */
export class ScopesOfBefore1700000000015 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(
      runner,
      `alter table api_keys add column if not exists legacy_scopes text[] not null default '{}'`,
    );
    await runner.query(
      `update api_keys set scopes = scopes || '{approvals:answer}'::text[], legacy_scopes = '{approvals:answer}', version = version + 1
       where type = 'USER' and revoked_at is null and scopes && '{*,agents:call}'::text[]
         and not scopes @> '{approvals:answer}'::text[]`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`update api_keys set scopes = array_remove(scopes, 'approvals:answer')`);
    await runner.query('alter table api_keys drop column legacy_scopes');
  }
}
