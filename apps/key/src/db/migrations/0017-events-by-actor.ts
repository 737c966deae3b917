import { buildIndexes, dropIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const NEWEST_FIRST = 'at desc, id desc';

const INDEXES = {
  space_events_by_action: `on space_events (action, ${NEWEST_FIRST})`,
  space_events_by_actor: `on space_events (actor_id, ${NEWEST_FIRST}) where actor_id is not null`,
  space_events_by_person: `on space_events (actor_user_id, ${NEWEST_FIRST}) where actor_user_id is not null`,
  space_events_of_machine: `on space_events (${NEWEST_FIRST})
    where actor_type = 'machine' or (actor_type is null and actor_user_id is null)`,
  account_events_by_action: `on account_events (action, ${NEWEST_FIRST})`,
  account_events_by_actor: `on account_events (actor_id, ${NEWEST_FIRST}) where actor_id is not null`,
  account_events_of_machine: `on account_events (${NEWEST_FIRST}) where actor_type = 'machine'`,
};

/** Operators look for one action or one actor in the events of all Spaces. */
export class EventsByActor1700000000017 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, INDEXES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndexes(runner, ...Object.keys(INDEXES));
  }
}
