import { buildIndexes, dropIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A replay reads the deliveries of a range a piece at a time, the oldest envelope first. */
export class EndedDeliveries1700000008000 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, {
      endpoint_deliveries_ended: `on endpoint_deliveries (space_id, endpoint_id, status, emitted_at, envelope_id) where status <> 'PENDING'`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndexes(runner, 'endpoint_deliveries_ended');
  }
}
