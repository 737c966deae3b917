import { buildIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which agents name a secret in the headers of their MCP servers. */
export class IndexAgentsOfASecret1700000000003 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, { agents_of_a_secret: `on agents using gin ((body -> 'mcpServers') jsonb_path_ops)` });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index agents_of_a_secret');
  }
}
