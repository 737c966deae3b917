import { alterBriefly, changeBriefly, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Usage and reservations of a key count for the key that created it as well, up the chain. By a trigger: a replica of
 * the version before, which settles calls beside this one while services are rolled, counts the same.
 */
export class KeysOfKeys1700000000009 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table key_accounts add column if not exists made_by_key text');
    await changeBriefly(runner, async () => {
      const [row] = (await runner.query('select current_schema() as schema')) as { schema: string }[];
      const table = `"${row?.schema ?? 'public'}".key_accounts`;
      await runner.query(
        `create or replace function count_for_maker() returns trigger language plpgsql as $count$ begin
           update ${table} m set
             reserved = greatest(0, m.reserved + new.reserved - old.reserved),
             daily_used = case when m.day = new.day then m.daily_used else 0 end
               + new.daily_used - case when old.day = new.day then old.daily_used else 0 end,
             day = new.day,
             monthly_used = case when m.month = new.month then m.monthly_used else 0 end
               + new.monthly_used - case when old.month = new.month then old.monthly_used else 0 end,
             month = new.month
           where m.space_id = new.space_id and m.key_id = new.made_by_key;
           return null;
         end $count$`,
      );
      await runner.query('drop trigger if exists count_for_maker on key_accounts');
      await runner.query(
        `create trigger count_for_maker after update on key_accounts
           for each row when (new.made_by_key is not null) execute function count_for_maker()`,
      );
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger count_for_maker on key_accounts');
    await runner.query('drop function count_for_maker()');
    await runner.query('alter table key_accounts drop column made_by_key');
  }
}
