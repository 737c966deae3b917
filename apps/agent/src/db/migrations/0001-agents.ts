import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantTable } from '@switchyard/database';

export class CreateAgents1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await tenantTable(
      runner,
      'agents',
      `name text not null,
       agent_type text not null,
       access_scope text not null,
       allowed_user_ids uuid[] not null default '{}',
       body jsonb not null,
       secrets jsonb not null default '{}',
       version integer not null,
       created_by uuid,
       created_at timestamptz not null default now(),
       updated_at timestamptz not null default now()`,
    );
    await runner.query(`create index agents_newest on agents (space_id, id desc)`);
    await tenantTable(
      runner,
      'agent_versions',
      `agent_id uuid not null,
       version integer not null,
       body jsonb not null,
       secrets jsonb not null default '{}',
       changed_by uuid,
       created_at timestamptz not null default now(),
       unique (space_id, agent_id, version)`,
    );
    await tenantTable(
      runner,
      'memories',
      `agent_id uuid not null,
       user_id uuid not null,
       text text not null,
       created_at timestamptz not null default now()`,
    );
    await runner.query(`create index memories_of_user on memories (space_id, agent_id, user_id, id desc)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table memories, agent_versions, agents');
  }
}
