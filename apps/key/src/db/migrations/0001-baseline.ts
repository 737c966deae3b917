import { Baseline, createIndexes, globalTable, messagingTables, protectTable, tenantTable } from '@switchyard/database';
import type { QueryRunner } from 'typeorm';

/** All tables of the service, as of 0.1.0. */
export class KeyBaseline1700000001000 extends Baseline {
  static readonly replaces = 'LastSuspension1700000000022';

  async up(runner: QueryRunner): Promise<void> {
    await messagingTables(runner);
    await users(runner);
    await signingKeys(runner);
    await spaces(runner);
    await spaceTotals(runner);
    await members(runner);
    await apiKeys(runner);
    await signIns(runner);
    await securityEvents(runner);
    await secrets(runner);
    await creditIntents(runner);
  }
}

/**
 * Accounts belong to the Space in which they were created (ADR 25): an address can have several, and so can a person of
 * an external issuer.
 */
async function users(runner: QueryRunner): Promise<void> {
  await globalTable(
    runner,
    'users',
    `id uuid primary key,
     email text not null,
     name text not null,
     password_hash text,
     created_at timestamptz(3) not null default now(),
     home_space_id uuid,
     last_signed_in_at timestamptz,
     password_by_others boolean not null default true,
     operator boolean not null default false,
     disabled_at timestamptz(3),
     password_changed_at timestamptz(3)`,
  );
  await createIndexes(runner, {
    users_of_an_address: 'on users (email)',
    users_operators: 'on users (id) where operator',
  });
  await globalTable(
    runner,
    'external_identities',
    `issuer text not null,
     subject text not null,
     user_id uuid not null,
     created_at timestamptz(3) not null default now(),
     unique (issuer, user_id),
     primary key (issuer, subject, user_id),
     foreign key (user_id) references users (id) on delete cascade`,
  );
  await createIndexes(runner, {
    external_identities_of_a_user: 'on external_identities (user_id)',
  });
  await globalTable(
    runner,
    'password_resets',
    `user_id uuid primary key,
     digest bytea not null,
     expires_at timestamptz(3) not null,
     created_at timestamptz(3) not null default now(),
     unique (digest),
     foreign key (user_id) references users (id) on delete cascade`,
  );
}

async function signingKeys(runner: QueryRunner): Promise<void> {
  await globalTable(
    runner,
    'signing_keys',
    `kid text primary key,
     algorithm text not null,
     stage text not null,
     public_jwk jsonb not null,
     sealed_private_jwk bytea not null,
     created_at timestamptz(3) not null default now(),
     current_since timestamptz(3),
     retire_at timestamptz(3)`,
  );
  await createIndexes(runner, {
    signing_keys_one_current: `unique on signing_keys (stage) where stage = 'CURRENT'`,
  });
}

/** The row of a Space has its settings and its webhook secret, so it is protected like the rows of the Space. */
async function spaces(runner: QueryRunner): Promise<void> {
  await tenantTable(
    runner,
    'spaces',
    `name text not null,
     settings jsonb not null default '{}',
     sealed_webhook_secret bytea not null,
     created_at timestamptz(3) not null default now(),
     updated_at timestamptz(3) not null default now(),
     status text not null default 'ACTIVE' check (status in ('ACTIVE', 'SUSPENDED')),
     suspended_reason text,
     ceilings jsonb not null default '{}',
     made_by uuid,
     made_by_kind text check (made_by_kind in ('operator', 'user')),
     payer_kind text,
     payer_id uuid,
     unmetered boolean not null default false,
     starting_tokens bigint,
     suspended_at timestamptz(3),
     last_suspended_at timestamptz(3),
     last_resumed_at timestamptz(3),
     check (id = space_id),
     constraint spaces_payer_check check ((payer_kind is null) = (payer_id is null) and payer_kind in ('space', 'user'))`,
  );
  await createIndexes(runner, {
    spaces_by_maker: 'on spaces (made_by, created_at)',
    spaces_by_payer: `on spaces (payer_id) where payer_kind = 'space'`,
    spaces_newest: 'on spaces (created_at desc, id desc)',
    spaces_resumed: 'on spaces (last_resumed_at) where last_resumed_at is not null',
    spaces_suspended: `on spaces (space_id) where status = 'SUSPENDED'`,
    spaces_without_a_maker: 'on spaces (created_at) where made_by_kind is null',
  });
}

/**
 * Counts of other services for each Space, for the lists of operators. `space_makers` belongs to people and not to a
 * Space: the Spaces of a person are counted while another one is created.
 */
async function spaceTotals(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table space_totals (
      space_id uuid primary key,
      balance bigint not null default 0,
      month date,
      tokens bigint not null default 0,
      daily_tokens bigint not null default 0,
      calls bigint not null default 0, cost numeric not null default 0, used_at timestamptz,
      bytes bigint not null default 0, records bigint not null default 0, stored_at timestamptz
    )`);
  await protectTable(runner, 'space_totals');
  await createIndexes(runner, {
    space_totals_by_bytes: 'on space_totals (bytes desc, space_id desc)',
    space_totals_by_month: 'on space_totals (month)',
    space_totals_by_tokens: 'on space_totals (tokens desc, space_id desc)',
  });
  await globalTable(
    runner,
    'space_makers',
    'space_id uuid primary key, user_id uuid not null, made_at timestamptz not null default now()',
  );
  await createIndexes(runner, {
    space_makers_of_a_user: 'on space_makers (user_id, made_at)',
  });
}

async function members(runner: QueryRunner): Promise<void> {
  await tenantTable(
    runner,
    'members',
    `user_id uuid not null,
     role text not null check (role in ('OWNER', 'ADMIN', 'MEMBER', 'VIEWER')),
     created_at timestamptz(3) not null default now(),
     invited_email text,
     unique (space_id, user_id),
     foreign key (user_id) references users (id)`,
  );
  await createIndexes(runner, {
    members_newest: 'on members (space_id, created_at desc, user_id desc)',
    members_of_a_user: 'on members (user_id, created_at)',
  });
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
  await createIndexes(runner, {
    invitations_by_digest: 'on invitations (digest)',
    invitations_by_end: 'on invitations (expires_at)',
  });
}

/**
 * A key has its current value, and during a grace period the value from before a rotation. Keys arrive without their
 * Space: the digest finds the row. Tasks that a key saved count in its limits, so these outlive it.
 */
async function apiKeys(runner: QueryRunner): Promise<void> {
  await tenantTable(
    runner,
    'api_keys',
    `name text not null,
     description text,
     type text not null check (type in ('USER', 'SYSTEM', 'OPERATOR')),
     user_id uuid,
     application_id uuid,
     last4 text not null,
     scopes text[] not null,
     version int not null default 1,
     expires_at timestamptz(3),
     last_used_at timestamptz(3),
     created_by uuid,
     created_at timestamptz(3) not null default now(),
     revoked_at timestamptz(3),
     limits jsonb not null default '{}',
     legacy_scopes text[] not null default '{}',
     made_by_key uuid,
     check ((type = 'USER') = (user_id is not null)),
     check ((type = 'SYSTEM') = (application_id is not null))`,
  );
  await createIndexes(runner, {
    api_keys_by_end:
      'on api_keys (least(expires_at, revoked_at)) where expires_at is not null or revoked_at is not null',
    api_keys_newest: 'on api_keys (space_id, created_at desc, id desc)',
    api_keys_of_a_user: 'on api_keys (space_id, user_id)',
    api_keys_of_operators: `on api_keys (created_at desc, id desc) where type = 'OPERATOR'`,
    api_keys_one_per_application: `unique on api_keys (space_id, application_id) where type = 'SYSTEM' and revoked_at is null`,
  });
  await tenantTable(
    runner,
    'api_key_values',
    `key_id uuid not null,
     digest bytea not null,
     pepper_version int not null,
     ends_at timestamptz(3),
     created_at timestamptz(3) not null default now(),
     unique (space_id, digest),
     foreign key (space_id, key_id) references api_keys (space_id, id) on delete cascade`,
  );
  await createIndexes(runner, {
    api_key_values_by_digest: 'on api_key_values (digest)',
    api_key_values_by_end: 'on api_key_values (ends_at) where ends_at is not null',
    api_key_values_of_a_key: 'on api_key_values (space_id, key_id)',
  });
  await tenantTable(runner, 'ended_key_limits', 'limits jsonb not null, made_by_key uuid');
  const [row] = (await runner.query('select quote_ident(current_schema()) as schema')) as { schema: string }[];
  const schema = row?.schema ?? 'public';
  await runner.query(
    `create function keep_limits_of_key() returns trigger language plpgsql as $keep$ begin
       insert into ${schema}.ended_key_limits (space_id, id, limits, made_by_key)
         values (old.space_id, old.id, old.limits, old.made_by_key) on conflict do nothing;
       return null;
     end $keep$`,
  );
  await runner.query(
    `create trigger keep_limits after delete on api_keys
       for each row when (old.limits <> '{}' or old.made_by_key is not null) execute function keep_limits_of_key()`,
  );
}

/** `successor` is the next refresh token, encrypted with the used one: only the owner of that can read it. */
async function signIns(runner: QueryRunner): Promise<void> {
  await tenantTable(
    runner,
    'sign_ins',
    `user_id uuid not null,
     created_at timestamptz(3) not null default now(),
     ends_at timestamptz(3) not null,
     revoked_at timestamptz(3),
     revoked_because text,
     signed_in_at timestamptz(3)`,
  );
  await createIndexes(runner, {
    sign_ins_by_end: 'on sign_ins (least(ends_at, revoked_at))',
    sign_ins_by_id: 'on sign_ins (id)',
    sign_ins_of_a_user: 'on sign_ins (space_id, user_id) where revoked_at is null',
    sign_ins_of_an_account: 'on sign_ins (user_id) where revoked_at is null',
  });
  await tenantTable(
    runner,
    'refresh_tokens',
    `sign_in_id uuid not null,
     digest bytea not null,
     ends_at timestamptz(3) not null,
     spent_at timestamptz(3),
     created_at timestamptz(3) not null default now(),
     successor bytea,
     unique (space_id, digest),
     foreign key (space_id, sign_in_id) references sign_ins (space_id, id) on delete cascade`,
  );
  await createIndexes(runner, {
    refresh_tokens_by_digest: 'on refresh_tokens (digest)',
    refresh_tokens_of_a_sign_in: 'on refresh_tokens (space_id, sign_in_id)',
  });
}

/** Two logs: of Spaces, and of accounts. Entries cannot be changed, nor deleted within 30 days. */
async function securityEvents(runner: QueryRunner): Promise<void> {
  await tenantTable(
    runner,
    'space_events',
    `action text not null,
     target text,
     details jsonb not null default '{}',
     actor_user_id uuid,
     credential_id text,
     request_id text not null,
     at timestamptz(3) not null default now(),
     actor_type text,
     actor_id text`,
  );
  await createIndexes(runner, {
    space_events_by_action: 'on space_events (action, at desc, id desc)',
    space_events_by_actor: 'on space_events (actor_id, at desc, id desc) where actor_id is not null',
    space_events_by_age: 'on space_events (at)',
    space_events_by_person: 'on space_events (actor_user_id, at desc, id desc) where actor_user_id is not null',
    space_events_newest: 'on space_events (space_id, at desc, id desc)',
    space_events_of_machine: `on space_events (at desc, id desc) where actor_type = 'machine' or (actor_type is null and actor_user_id is null)`,
  });
  await globalTable(
    runner,
    'account_events',
    `id uuid primary key,
     action text not null,
     user_id uuid,
     details jsonb not null default '{}',
     request_id text not null,
     at timestamptz(3) not null default now(),
     actor_type text,
     actor_id text,
     credential_id text,
     target text`,
  );
  await createIndexes(runner, {
    account_events_by_action: 'on account_events (action, at desc, id desc)',
    account_events_by_actor: 'on account_events (actor_id, at desc, id desc) where actor_id is not null',
    account_events_by_age: 'on account_events (at)',
    account_events_of_a_user: 'on account_events (user_id, at desc)',
    account_events_of_machine: `on account_events (at desc, id desc) where actor_type = 'machine'`,
  });
  await runner.query(`
    create function refuse_change_of_the_log() returns trigger language plpgsql as $$
    begin
      raise exception 'the log of security events only grows' using errcode = '42501';
    end $$`);
  await runner.query(`
    create function refuse_loss_of_the_log() returns trigger language plpgsql as $$
    begin
      if old.at > now() - interval '30 days' then
        raise exception 'the log of security events only grows for 30 days' using errcode = '42501';
      end if;
      return old;
    end $$`);
  for (const table of ['space_events', 'account_events']) {
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

async function secrets(runner: QueryRunner): Promise<void> {
  await tenantTable(
    runner,
    'secrets',
    `name text not null,
     description text,
     hosts text[] not null default '{}',
     sealed bytea not null,
     version int not null default 1,
     created_by uuid,
     created_at timestamptz(3) not null default now(),
     updated_at timestamptz(3) not null default now(),
     last_used_at timestamptz(3)`,
  );
  await createIndexes(runner, {
    secrets_newest: 'on secrets (space_id, created_at desc, id desc)',
    secrets_one_of_a_name: 'unique on secrets (space_id, lower(name))',
  });
}

/** Credits of operators, recorded before the relay books them: if a process dies in between, another continues. */
async function creditIntents(runner: QueryRunner): Promise<void> {
  await tenantTable(
    runner,
    'credit_intents',
    `tokens bigint not null,
     note text,
     origin jsonb not null,
     attempt int not null default 0,
     created_at timestamptz not null default clock_timestamp(),
     next_try_at timestamptz not null default clock_timestamp() + interval '60 seconds',
     settled_at timestamptz,
     answered_at timestamptz`,
  );
  await createIndexes(runner, {
    credit_intents_open: 'on credit_intents (next_try_at) where settled_at is null',
    credit_intents_settled: 'on credit_intents (settled_at) where settled_at is not null',
  });
}
