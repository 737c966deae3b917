import {
  Baseline,
  clockTables,
  createActivityTables,
  createIndexes,
  createOversizedMark,
  messagingTables,
  protectTable,
  tenantTable,
  type WeighedTable,
} from '@switchyard/database';
import type { QueryRunner } from 'typeorm';
import { TURN_ACTIVITY } from '../turn-activity';

/** The limit in 0.1.0. */
const SESSIONS: WeighedTable = {
  table: 'sessions',
  columns: ['metadata'],
  fields: [{ path: 'metadata', value: 'metadata', limit: 16 * 1024 }],
  skipsSmallInserts: true,
};

/** All tables of the service, as of 0.1.0. */
export class SessionBaseline1700000001000 extends Baseline {
  static readonly replaces = 'MovedClocks1700000000019';

  async up(runner: QueryRunner): Promise<void> {
    await messagingTables(runner);
    await sessions(runner);
    await messages(runner);
    await turns(runner);
    await interactions(runner);
    await latency(runner);
    await clockTables(runner);
  }
}

/**
 * `sessions_of_a_user_with_titles` has the title as well as its lower case: Postgres reads no index alone for an
 * expression if the index lacks the column of the expression.
 */
async function sessions(runner: QueryRunner): Promise<void> {
  await tenantTable(
    runner,
    'sessions',
    `user_id uuid not null,
     agent_id uuid,
     title text,
     status text not null default 'ACTIVE' check (status in ('ACTIVE', 'DELETED')),
     metadata jsonb not null default '{}',
     last_seq int not null default 0,
     message_count int not null default 0,
     completed_turns int not null default 0,
     summary text,
     summary_seq int not null default 0,
     summary_tokens int not null default 0,
     compacted_seq int not null default 0,
     compaction_count int not null default 0,
     created_at timestamptz not null default now(),
     updated_at timestamptz not null default now(),
     last_message_at timestamptz,
     deleted_at timestamptz,
     oversized jsonb`,
  );
  await createIndexes(runner, {
    sessions_by_time: `on sessions (space_id, created_at, id) where status = 'ACTIVE'`,
    sessions_deleted: `on sessions (deleted_at) where status = 'DELETED'`,
    sessions_of_a_user_and_agent: `on sessions (space_id, user_id, agent_id, created_at, id) where status = 'ACTIVE'`,
    sessions_of_a_user_with_titles: `on sessions (space_id, user_id, created_at, id, lower(title)) include (title) where status = 'ACTIVE'`,
    sessions_of_an_agent_by_time: `on sessions (space_id, agent_id, created_at, id) where status = 'ACTIVE'`,
  });
  await createOversizedMark(runner, SESSIONS);
}

/**
 * Large columns are json, not jsonb: they are read as they were written, and never searched. `reasoning` is never part
 * of the context of a model.
 */
async function messages(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table messages (
      space_id uuid not null,
      session_id uuid not null,
      seq int not null,
      id uuid not null,
      turn_id uuid,
      role text not null check (role in ('user', 'assistant', 'tool', 'event')),
      content json not null,
      tool_calls json,
      tool_call_id text,
      name text,
      event json,
      usage json,
      model text,
      finish_reason text,
      tokens int not null,
      counted boolean not null,
      bytes int not null,
      created_at timestamptz not null default now(),
      reasoning text,
      primary key (space_id, session_id, seq),
      foreign key (space_id, session_id) references sessions (space_id, id) on delete cascade
    )`);
  await protectTable(runner, 'messages');
  await createIndexes(runner, {
    messages_of_turn: 'on messages (space_id, session_id, turn_id, seq) where turn_id is not null',
  });
}

/**
 * `id` is the key of the turn; `turn_id` is the id that its caller uses. A turn is inserted before the session that it
 * opens, so of two equal requests one creates the session and the other finds the turn. The lease is in no index, so a
 * heartbeat changes none.
 */
async function turns(runner: QueryRunner): Promise<void> {
  await tenantTable(
    runner,
    'turns',
    `turn_id uuid not null,
     user_id uuid not null,
     agent_id uuid not null,
     session_id uuid,
     status text not null check (status in ('RUNNING', 'WAITING_INPUT', 'COMPLETED', 'FAILED', 'CANCELLED')),
     fingerprint text not null,
     model text not null,
     context_window int not null,
     identity json not null,
     input json not null,
     state json,
     result json,
     usage json,
     error json,
     finish_reason text,
     epoch int not null default 1,
     owner text,
     lease_until timestamptz,
     claim_reason text,
     recoveries int not null default 0,
     cancel_requested_at timestamptz,
     started_at timestamptz not null default now(),
     finished_at timestamptz,
     hidden boolean not null default false,
     deferrals int not null default 0,
     lost_at timestamptz,
     taken_at timestamptz,
     foreign key (space_id, session_id) references sessions (space_id, id) on delete cascade deferrable initially deferred`,
  );
  await createIndexes(runner, {
    turns_by_name: 'unique on turns (space_id, user_id, turn_id)',
    turns_chain: `on turns (space_id, (identity->>'correlationId')) where identity->>'correlationId' is not null`,
    turns_held: `on turns (id) where status = 'RUNNING'`,
    turns_of_session: 'on turns (space_id, session_id)',
    turns_of_space: 'on turns (space_id, status, started_at, id)',
    turns_of_user: 'on turns (space_id, user_id, status, started_at, id)',
    turns_one_active: `unique on turns (space_id, session_id) where status in ('RUNNING', 'WAITING_INPUT')`,
    turns_root: `on turns (space_id, (identity->'lineage'->>'root')) where identity->'lineage'->>'root' is not null`,
    turns_without_session: 'on turns (finished_at) where session_id is null',
  });
  await createActivityTables(runner, TURN_ACTIVITY);
  await hideWithSessions(runner);
}

/** Turns of a deleted session disappear from lists and counters in the statement that deletes it. */
async function hideWithSessions(runner: QueryRunner): Promise<void> {
  const [row] = (await runner.query('select quote_ident(current_schema()) as schema')) as { schema: string }[];
  const schema = row?.schema ?? 'public';
  await runner.query(
    `create function hide_turns_of_session() returns trigger language plpgsql as $hide$ begin
       update ${schema}.turns set hidden = true where space_id = new.space_id and session_id = new.id and not hidden;
       return null;
     end $hide$`,
  );
  await runner.query(
    `create trigger hide_turns after update on sessions for each row
       when (old.status = 'ACTIVE' and new.status <> 'ACTIVE') execute function hide_turns_of_session()`,
  );
}

/** Questions and approvals of turns, and results of tools that run in the host application. */
async function interactions(runner: QueryRunner): Promise<void> {
  await tenantTable(
    runner,
    'interactions',
    `turn_key uuid not null,
     turn_id uuid not null,
     session_id uuid not null,
     agent_id uuid not null,
     user_id uuid not null,
     form json not null,
     status text not null check (status in ('PENDING', 'ANSWERED', 'CANCELLED', 'EXPIRED')),
     selected_option_ids json,
     other_text text,
     created_at timestamptz not null default now(),
     answered_at timestamptz,
     expires_at timestamptz not null,
     purpose text not null default 'question' check (purpose in ('question', 'approval')),
     approver text check (approver in ('USER', 'ADMIN', 'OTHER', 'OTHER_ADMIN')),
     calls json,
     answered_by uuid,
     unrecorded json,
     foreign key (space_id, turn_key) references turns (space_id, id) on delete cascade`,
  );
  await createIndexes(runner, {
    approvals_unrecorded: 'on interactions (answered_at) where unrecorded is not null',
    approvals_waiting: `on interactions (created_at) where status = 'PENDING' and purpose = 'approval'`,
    interactions_expiring: `on interactions (expires_at) where status = 'PENDING'`,
    interactions_for_admins: `on interactions (space_id, id) where approver = 'ADMIN'`,
    interactions_for_others: `on interactions (space_id, id) where approver in ('OTHER', 'OTHER_ADMIN')`,
    interactions_of_turn: 'on interactions (space_id, turn_key)',
    interactions_of_user: 'on interactions (space_id, user_id, id)',
    interactions_one_pending: `unique on interactions (space_id, turn_key) where status = 'PENDING'`,
    interactions_pending: `on interactions (space_id, user_id, id) where status = 'PENDING'`,
  });
  await tenantTable(
    runner,
    'tool_results',
    `turn_key uuid not null,
     call_id text not null,
     name text not null,
     status text not null check (status in ('PENDING', 'ANSWERED', 'EXPIRED')),
     result json,
     error text,
     expires_at timestamptz not null,
     bytes int,
     foreign key (space_id, turn_key) references turns (space_id, id) on delete cascade`,
  );
  await createIndexes(runner, {
    tool_results_by_call: 'unique on tool_results (space_id, turn_key, call_id)',
  });
}

/** Durations of the turns of agents, by the hour in which they started. */
async function latency(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table agent_latency (
      space_id uuid not null,
      agent_id uuid not null,
      hour timestamptz not null,
      count int not null,
      failed int not null,
      longest_ms bigint not null,
      durations jsonb not null,
      primary key (space_id, agent_id, hour)
    )`);
  await protectTable(runner, 'agent_latency');
  await createIndexes(runner, {
    agent_latency_by_hour: 'on agent_latency (hour)',
  });
  await runner.query(`
    create table latency_sums (
      space_id uuid primary key,
      until timestamptz not null
    )`);
  await protectTable(runner, 'latency_sums');
  await runner.query('create table late_turns (space_id uuid not null, id uuid not null, primary key (space_id, id))');
  await protectTable(runner, 'late_turns');
}
