import { createIndexes, tenantTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replays of ranges to endpoints, made in pieces. */
export class EndpointReplays1700000007000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await tenantTable(
      runner,
      'endpoint_replays',
      `endpoint_id uuid not null,
       status text not null check (status <> 'PENDING'),
       after_time timestamptz not null,
       after_envelope uuid not null default '00000000-0000-0000-0000-000000000000',
       before_time timestamptz not null,
       matched int not null default 0,
       lease_until timestamptz not null,
       finished_at timestamptz,
       created_at timestamptz not null default clock_timestamp()`,
    );
    await createIndexes(runner, {
      endpoint_replays_unfinished: 'on endpoint_replays (lease_until) where finished_at is null',
      endpoint_replays_of_endpoint: 'on endpoint_replays (space_id, endpoint_id) where finished_at is null',
      endpoint_replays_finished: 'on endpoint_replays (finished_at) where finished_at is not null',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table endpoint_replays');
  }
}
