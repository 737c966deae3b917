import { protectTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sums of ledger entries by day and hour, and how far each Space has been summed. */
export class SumUpUsage1700000000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The value is null where the calls have none, as in the ledger: it cannot be part of a primary key.
    await runner.query(`create table usage_sums (
      space_id uuid not null,
      dimension text not null,
      grain text not null check (grain in ('day', 'hour')),
      start timestamptz not null,
      value text,
      calls bigint not null,
      prompt_tokens bigint not null,
      completion_tokens bigint not null,
      tokens bigint not null,
      cost numeric not null,
      unique nulls not distinct (space_id, dimension, grain, start, value)
    )`);
    await runner.query('create table usage_summed (space_id uuid primary key, until bigint not null)');
    for (const table of ['usage_sums', 'usage_summed']) await protectTable(runner, table);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table usage_sums, usage_summed');
  }
}
