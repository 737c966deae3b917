import { protectTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How long the turns of agents take, by the hour in which they were started. */
export class SumUpLatency1700000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create table agent_latency (space_id uuid not null, agent_id uuid not null, hour timestamptz not null,
         count int not null, failed int not null, longest_ms bigint not null, durations jsonb not null,
         primary key (space_id, agent_id, hour))`,
    );
    await runner.query('create index agent_latency_by_hour on agent_latency (hour)');
    await runner.query('create table latency_sums (space_id uuid primary key, until timestamptz not null)');
    await runner.query(
      'create table late_turns (space_id uuid not null, id uuid not null, primary key (space_id, id))',
    );
    for (const table of ['agent_latency', 'latency_sums', 'late_turns']) await protectTable(runner, table);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table agent_latency, latency_sums, late_turns');
  }
}
