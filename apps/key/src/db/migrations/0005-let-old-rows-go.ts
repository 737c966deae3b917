import { buildIndexes, changeBriefly, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The logs still cannot be rewritten, but no longer grow for ever; what retention looks for has an index. */
export class LetOldRowsGo1700000000005 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, () => letOldEventsGo(runner));
    await buildIndexes(runner, {
      space_events_by_age: 'on space_events (at)',
      account_events_by_age: 'on account_events (at)',
      sign_ins_by_end: 'on sign_ins (least(ends_at, revoked_at))',
      sign_ins_of_an_account: 'on sign_ins (user_id) where revoked_at is null',
      api_key_values_by_end: 'on api_key_values (ends_at) where ends_at is not null',
      api_keys_by_end: `on api_keys (least(expires_at, revoked_at))
        where expires_at is not null or revoked_at is not null`,
      api_key_values_of_a_key: 'on api_key_values (space_id, key_id)',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const index of [
      'sign_ins_by_end',
      'sign_ins_of_an_account',
      'api_key_values_by_end',
      'api_keys_by_end',
      'api_key_values_of_a_key',
      'space_events_by_age',
      'account_events_by_age',
    ]) {
      await runner.query(`drop index ${index}`);
    }
    for (const table of ['space_events', 'account_events']) {
      await runner.query(`drop trigger ${table}_stays on ${table}`);
      await runner.query(`drop trigger ${table}_only_grows on ${table}`);
      await runner.query(
        `create trigger ${table}_only_grows before update or delete or truncate on ${table}
         for each statement execute function refuse_change_of_the_log()`,
      );
    }
    await runner.query(`drop function refuse_loss_of_the_log()`);
  }
}

async function letOldEventsGo(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create or replace function refuse_loss_of_the_log() returns trigger language plpgsql as $$
    begin
      if old.at > now() - interval '30 days' then
        raise exception 'the log of security events only grows for 30 days' using errcode = '42501';
      end if;
      return old;
    end $$`);
  for (const table of ['space_events', 'account_events']) {
    await runner.query(`drop trigger if exists ${table}_only_grows on ${table}`);
    await runner.query(`drop trigger if exists ${table}_stays on ${table}`);
    await runner.query(
      `create trigger ${table}_only_grows before update or truncate on ${table}
         for each statement execute function refuse_change_of_the_log()`,
    );
    await runner.query(
      `create trigger ${table}_stays before delete on ${table}
         for each row execute function refuse_loss_of_the_log()`,
    );
  }
}
