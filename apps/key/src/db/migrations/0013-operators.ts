import { alterBriefly, asOwner, buildIndexes, changeBriefly, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const READ = ['spaces', 'members', 'space_events'];

/** People who run the platform, above all Spaces; accounts that can be disabled; resets of passwords. */
export class Operators1700000000013 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(
      runner,
      `alter table users add column if not exists operator boolean not null default false,
         add column if not exists disabled_at timestamptz(3),
         add column if not exists password_changed_at timestamptz(3)`,
      'alter table sign_ins add column if not exists signed_in_at timestamptz(3)',
      'alter table space_events add column if not exists actor_type text, add column if not exists actor_id text',
      `alter table account_events add column if not exists actor_type text, add column if not exists actor_id text,
         add column if not exists credential_id text, add column if not exists target text`,
      `alter table api_keys drop constraint if exists api_keys_type_check,
         add constraint api_keys_type_check check (type in ('USER', 'SYSTEM', 'OPERATOR')) not valid`,
      `create table if not exists password_resets (
         user_id uuid primary key references users (id) on delete cascade,
         digest bytea not null unique,
         expires_at timestamptz(3) not null,
         created_at timestamptz(3) not null default now())`,
    );
    await runner.query('alter table api_keys validate constraint api_keys_type_check');
    await buildIndexes(runner, {
      users_operators: 'on users (id) where operator',
      api_keys_of_operators: `on api_keys (created_at desc, id desc) where type = 'OPERATOR'`,
    });
    await asOwner(runner, READ, () => changeBriefly(runner, () => makeFirstOperator(runner)));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index api_keys_of_operators');
    await runner.query('drop index users_operators');
    await runner.query('drop table password_resets');
    await runner.query(`alter table api_keys drop constraint api_keys_type_check,
      add constraint api_keys_type_check check (type in ('USER', 'SYSTEM')) not valid`);
    await runner.query(`alter table account_events drop column actor_type, drop column actor_id,
      drop column credential_id, drop column target`);
    await runner.query('alter table space_events drop column actor_type, drop column actor_id');
    await runner.query('alter table sign_ins drop column signed_in_at');
    await runner.query(`alter table users drop column operator, drop column disabled_at,
      drop column password_changed_at`);
  }
}

/**
 * The account that the first start made, by its id: it made the oldest Space, in one transaction with itself. If it is
 * gone, the OWNER of the oldest Space who has been one longest. The first start chose the password for its own operator.
 */
async function makeFirstOperator(runner: QueryRunner): Promise<void> {
  await runner.query(`
    update users u set password_changed_at = e.at
      from (select user_id, max(at) as at from account_events where action = 'password.changed' group by user_id) e
      where e.user_id = u.id and u.password_changed_at is null`);
  await runner.query(`
    with first_space as (select id, created_at from spaces order by created_at, id limit 1),
    maker as (
      select coalesce(
        (select e.actor_user_id from space_events e, first_space s
           where e.space_id = s.id and e.action = 'space.created' order by e.at limit 1),
        (select u.id from users u, first_space s where u.created_at = s.created_at order by u.id limit 1)) as id),
    bootstrap as (select u.id, 'first start' as why from users u, maker where u.id = maker.id),
    owner as (
      select m.user_id as id, 'longest OWNER of the oldest Space' as why
      from first_space s join members m on m.space_id = s.id and m.role = 'OWNER'
      where not exists (select 1 from bootstrap)
      order by coalesce((select max(e.at) from space_events e where e.space_id = s.id
                           and e.action = 'member.role-changed' and e.target = m.user_id::text
                           and e.details ->> 'to' = 'OWNER'), m.created_at), m.user_id limit 1),
    chosen as (select * from bootstrap union all select * from owner),
    granted as (
      update users u set operator = true,
          password_by_others = case when c.why = 'first start' then false else u.password_by_others end
        from chosen c where u.id = c.id and not exists (select 1 from users o where o.operator)
        returning u.id, c.why)
    insert into account_events (id, action, user_id, target, details, request_id, actor_type)
      select gen_random_uuid(), 'operator.granted', id, id::text, jsonb_build_object('by', 'upgrade', 'as', why),
        'upgrade', 'machine' from granted`);
}
