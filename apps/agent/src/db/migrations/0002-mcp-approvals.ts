import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantTable } from '@switchyard/database';

export class CreateMcpApprovals1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await tenantTable(
      runner,
      'mcp_approvals',
      `agent_id uuid not null,
       server text not null,
       url text not null,
       tools jsonb not null,
       approved_by uuid,
       approved_at timestamptz not null default now(),
       unique (space_id, agent_id, server)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table mcp_approvals');
  }
}
