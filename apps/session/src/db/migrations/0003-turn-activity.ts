import {
  alterBriefly,
  asOwner,
  buildIndexes,
  changeBriefly,
  createActivityTables,
  dropActivityTables,
  inBatches,
  OnlineMigration,
} from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TURN_ACTIVITY } from '../turn-activity';

/**
 * Lists of turns by time for each status, counters by hour and status, and notes of changes while somebody watches.
 * Turns of a deleted session are marked in the statement that deletes it: lists and counters leave them out at once.
 */
export class CountTurns1700000000003 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table turns add column if not exists hidden boolean not null default false');
    await buildIndexes(runner, {
      turns_of_space: 'on turns (space_id, status, started_at, id)',
      turns_of_user: 'on turns (space_id, user_id, status, started_at, id)',
      turns_of_session: 'on turns (space_id, session_id)',
      turns_chain: `on turns (space_id, (identity->>'correlationId')) where identity->>'correlationId' is not null`,
    });
    await changeBriefly(runner, () => hideWithSessions(runner));
    // Sessions that were deleted before the trigger was there.
    await asOwner(runner, ['turns', 'sessions'], () =>
      inBatches(
        runner,
        `with late as (
           select t.ctid from turns t join sessions s on s.space_id = t.space_id and s.id = t.session_id
           where s.status <> 'ACTIVE' and not t.hidden limit 1000),
         hid as (update turns set hidden = true where ctid = any(array(select ctid from late)) returning 1)
         select count(*)::int as n from hid`,
      ),
    );
    await createActivityTables(runner, TURN_ACTIVITY);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger hide_turns on sessions');
    await runner.query('drop function hide_turns_of_session()');
    await dropActivityTables(runner, TURN_ACTIVITY);
    await runner.query('drop index turns_of_space, turns_of_user, turns_of_session, turns_chain');
    await runner.query('alter table turns drop column hidden');
  }
}

async function hideWithSessions(runner: QueryRunner): Promise<void> {
  const [row] = (await runner.query('select current_schema() as schema')) as { schema: string }[];
  await runner.query(
    `create or replace function hide_turns_of_session() returns trigger language plpgsql as $hide$ begin
       update "${row?.schema ?? 'public'}".turns set hidden = true where space_id = new.space_id and session_id = new.id and not hidden;
       return null;
     end $hide$`,
  );
  await runner.query('drop trigger if exists hide_turns on sessions');
  await runner.query(
    `create trigger hide_turns after update on sessions for each row
       when (old.status = 'ACTIVE' and new.status <> 'ACTIVE') execute function hide_turns_of_session()`,
  );
}
