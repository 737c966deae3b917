import { alterBriefly, changeBriefly, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which key made a key: it counts in the limits of its maker, also when one of them is gone. */
export class KeysOfKeys1700000000016 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(
      runner,
      'alter table api_keys add column if not exists made_by_key uuid',
      'alter table ended_key_limits add column if not exists made_by_key uuid',
    );
    await changeBriefly(runner, async () => {
      await keepWith(
        runner,
        '(space_id, id, limits, made_by_key) values (old.space_id, old.id, old.limits, old.made_by_key)',
      );
      await triggerWhen(runner, `old.limits <> '{}' or old.made_by_key is not null`);
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await triggerWhen(runner, `old.limits <> '{}'`);
    await keepWith(runner, '(space_id, id, limits) values (old.space_id, old.id, old.limits)');
    await runner.query('alter table ended_key_limits drop column made_by_key');
    await runner.query('alter table api_keys drop column made_by_key');
  }
}

async function keepWith(runner: QueryRunner, values: string): Promise<void> {
  const [row] = (await runner.query('select current_schema() as schema')) as { schema: string }[];
  await runner.query(
    `create or replace function keep_limits_of_key() returns trigger language plpgsql as $keep$ begin
       insert into "${row?.schema ?? 'public'}".ended_key_limits ${values} on conflict do nothing;
       return null;
     end $keep$`,
  );
}

async function triggerWhen(runner: QueryRunner, condition: string): Promise<void> {
  await runner.query('drop trigger if exists keep_limits on api_keys');
  await runner.query(
    `create trigger keep_limits after delete on api_keys
       for each row when (${condition}) execute function keep_limits_of_key()`,
  );
}
