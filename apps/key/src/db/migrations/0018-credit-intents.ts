import { buildIndexes, changeBriefly, OnlineMigration, tenantTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Credits of operators, recorded before the relay books them: if a process dies in between, another one goes on. */
export class CreditIntents1700000000018 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, async () => {
      const [row] = (await runner.query(`select to_regclass('credit_intents') is not null as there`)) as {
        there: boolean;
      }[];
      if (row?.there === true) return;
      await tenantTable(
        runner,
        'credit_intents',
        `tokens bigint not null,
         note text,
         origin jsonb not null,
         attempt int not null default 0,
         created_at timestamptz not null default clock_timestamp(),
         next_try_at timestamptz not null default clock_timestamp() + interval '60 seconds',
         settled_at timestamptz`,
      );
    });
    await buildIndexes(runner, {
      credit_intents_open: 'on credit_intents (next_try_at) where settled_at is null',
      credit_intents_settled: 'on credit_intents (settled_at) where settled_at is not null',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table credit_intents');
  }
}
