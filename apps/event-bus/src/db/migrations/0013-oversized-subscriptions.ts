import { SIZES } from '@switchyard/contracts';
import { asOwner, markOversized, OnlineMigration, unmarkOversized, type WeighedTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SUBSCRIPTIONS: WeighedTable = {
  table: 'subscriptions',
  columns: ['filter'],
  fields: [{ path: 'filter', value: 'filter', limit: SIZES.filter }],
  whenFar: { active: 'false' },
};

/** Subscriptions from before filters had a limit: marked, and made inactive where nothing reads them any more. */
export class MarkOversizedSubscriptions1700000000013 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await markOversized(runner, SUBSCRIPTIONS);
    // Replicas that have read the subscriptions of an event read them anew.
    await asOwner(runner, ['registered_events', 'subscriptions'], async () => {
      await runner.query(
        `update registered_events e set subscriptions_revision = subscriptions_revision + 1
          where exists (select 1 from subscriptions s
                         where s.space_id = e.space_id and s.event_id = e.id and s.oversized is not null)`,
      );
    });
  }

  down(runner: QueryRunner): Promise<void> {
    return unmarkOversized(runner, SUBSCRIPTIONS);
  }
}
