import { OnlineMigration, changeBriefly } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The limits of a key stay when its row goes, whoever deletes it: a replica of the version before, which knows nothing
 * of them and runs beside this one while services are rolled, too.
 */
export class LimitsStay1700000000010 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, async () => {
      const [row] = (await runner.query('select current_schema() as schema')) as { schema: string }[];
      await runner.query(
        `create or replace function keep_limits_of_key() returns trigger language plpgsql as $keep$ begin
           insert into "${row?.schema ?? 'public'}".ended_key_limits (space_id, id, limits)
             values (old.space_id, old.id, old.limits) on conflict do nothing;
           return null;
         end $keep$`,
      );
      await runner.query('drop trigger if exists keep_limits on api_keys');
      await runner.query(
        `create trigger keep_limits after delete on api_keys
           for each row when (old.limits <> '{}') execute function keep_limits_of_key()`,
      );
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger keep_limits on api_keys');
    await runner.query('drop function keep_limits_of_key()');
  }
}
