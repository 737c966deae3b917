import { tenantTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Access of a migration to all Spaces; meanwhile the owner is exempt from row-level security. */
const MOVED = ['members', 'space_events', 'invitations'];

/** Accounts belong to the Space in which they were made, and people of other Spaces are invited (ADR 25). */
export class AccountsOfSpaces1700000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table users drop constraint users_email_key,
      add column home_space_id uuid, add column last_signed_in_at timestamptz`);
    await runner.query(`create index users_of_an_address on users (email)`);

    // One person of the issuer may have an account in each of several Spaces.
    await runner.query(`alter table external_identities drop constraint external_identities_pkey,
      add primary key (issuer, subject, user_id),
      drop constraint external_identities_user_id_fkey,
      add foreign key (user_id) references users (id) on delete cascade`);
    await runner.query(`create index external_identities_of_a_user on external_identities (user_id)`);

    await tenantTable(
      runner,
      'invitations',
      `email text not null,
       role text not null check (role in ('OWNER', 'ADMIN', 'MEMBER', 'VIEWER')),
       digest bytea,
       expires_at timestamptz(3) not null,
       invited_by uuid,
       created_at timestamptz(3) not null default now(),
       unique (space_id, email)`,
    );
    await runner.query(`create index invitations_by_digest on invitations (digest)`);
    await runner.query(`create index invitations_by_end on invitations (expires_at)`);
    await runner.query(`alter table members add column invited_email text`);

    for (const table of MOVED) await runner.query(`alter table ${table} no force row level security`);
    await findHomes(runner);
    await withdrawUnconfirmed(runner);
    await runner.query(`delete from members m where not exists (select 1 from users u where u.id = m.user_id)`);
    for (const table of MOVED) await runner.query(`alter table ${table} force row level security`);
    await runner.query(`alter table members add foreign key (user_id) references users (id)`);
    await runner.query(`create index members_newest on members (space_id, created_at desc, user_id desc)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index members_newest`);
    await runner.query(`alter table members drop constraint members_user_id_fkey, drop column invited_email`);
    await runner.query(`drop table invitations`);
    await runner.query(`drop index external_identities_of_a_user`);
    await runner.query(`alter table external_identities drop constraint external_identities_pkey,
      add primary key (issuer, subject)`);
    await runner.query(`drop index users_of_an_address`);
    await runner.query(`alter table users drop column home_space_id, drop column last_signed_in_at,
      add unique (email)`);
  }
}

/** The Space whose ADMIN made the account; else the oldest membership. */
async function findHomes(runner: QueryRunner): Promise<void> {
  // Each log is read once, however many accounts there are.
  await runner.query(`
    update users u set home_space_id = coalesce(made.space_id, first.space_id), last_signed_in_at = seen.at
    from users x
      left join (select distinct on (target) target, space_id from space_events
        where action = 'member.added' and details ->> 'newAccount' = 'true' order by target, at) made on made.target = x.id::text
      left join (select distinct on (user_id) user_id, space_id from members order by user_id, created_at, space_id) first
        on first.user_id = x.id
      left join (select actor_user_id, max(at) as at from space_events where action = 'sign-in.opened' group by actor_user_id) seen
        on seen.actor_user_id = x.id
    where u.id = x.id`);
}

/**
 * Until now a Space that added an address got the account that any other Space had made of it, with a password that
 * the other Space's ADMIN may know. A membership in a second Space goes on if the account has been used there, if its
 * holder founded that Space, if the account has no password, or if it was made by somebody in charge there as well.
 * The others become invitations without a token: an ADMIN of the Space decides again.
 */
async function withdrawUnconfirmed(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create temporary table unconfirmed on commit drop as
    select m.space_id, m.user_id, m.role, u.email
    from members m join users u on u.id = m.user_id
    where m.space_id is distinct from u.home_space_id and u.password_hash is not null
      and not exists (select 1 from space_events e where e.space_id = m.space_id and e.actor_user_id = m.user_id
                        and e.action in ('space.created', 'sign-in.opened'))
      and exists (select 1 from space_events e
                  where e.space_id = u.home_space_id and e.action = 'member.added' and e.target = u.id::text
                    and e.details ->> 'newAccount' = 'true'
                    and not exists (select 1 from members a where a.space_id = m.space_id
                                      and a.user_id = e.actor_user_id and a.role in ('OWNER', 'ADMIN')))
      and (m.role <> 'OWNER' or exists (select 1 from members o where o.space_id = m.space_id
                        and o.role = 'OWNER' and o.user_id <> m.user_id))`);
  await runner.query(`
    insert into invitations (space_id, id, email, role, expires_at)
    select space_id, gen_random_uuid(), email, role, now() + interval '90 days' from unconfirmed`);
  await runner.query(`
    insert into space_events (space_id, id, action, target, details, request_id)
    select space_id, gen_random_uuid(), 'member.unconfirmed', user_id::text, jsonb_build_object('role', role), 'upgrade'
    from unconfirmed`);
  await runner.query(`
    delete from members m using unconfirmed x where m.space_id = x.space_id and m.user_id = x.user_id`);
}
