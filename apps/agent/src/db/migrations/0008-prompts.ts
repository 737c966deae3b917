import { buildIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which agents of a Space are prompts, told when they are written: to look for it takes the whole body of each. The list
 * of prompts has the same condition, word for word.
 */
export class FindPrompts1700000000008 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, {
      agents_prompts: `on agents (space_id, id desc)
        where (body -> 'promptVariables' <> '[]'::jsonb or strpos(body ->> 'systemPrompt', '{{') > 0)`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index agents_prompts');
  }
}
