import type { MigrationInterface, QueryRunner } from 'typeorm';

export class LimitsOfKeys1700000000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table api_keys add column limits jsonb not null default '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table api_keys drop column limits');
  }
}
