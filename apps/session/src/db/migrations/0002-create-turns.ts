import { tenantTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateTurns1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // `id` is the turn's key; `turn_id` is the caller's name for it. A turn is inserted before the session that it
    // opens, so that of two equal requests one makes the session and the other finds the turn.
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
       foreign key (space_id, session_id) references sessions (space_id, id) on delete cascade deferrable initially deferred`,
    );
    await runner.query(`create unique index turns_by_name on turns (space_id, user_id, turn_id)`);
    await runner.query(
      `create unique index turns_one_active on turns (space_id, session_id) where status in ('RUNNING', 'WAITING_INPUT')`,
    );
    await runner.query(`create index turns_by_key on turns (id)`);
    // The lease itself is in no index: a heartbeat then rewrites no index either.
    await runner.query(`create index turns_running on turns (status) where status = 'RUNNING'`);
    await runner.query(`create index turns_without_session on turns (finished_at) where session_id is null`);

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
       foreign key (space_id, turn_key) references turns (space_id, id) on delete cascade`,
    );
    await runner.query(
      `create unique index interactions_one_pending on interactions (space_id, turn_key) where status = 'PENDING'`,
    );
    await runner.query(
      `create index interactions_pending on interactions (space_id, user_id, id) where status = 'PENDING'`,
    );
    await runner.query(`create index interactions_expiring on interactions (expires_at) where status = 'PENDING'`);

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
       foreign key (space_id, turn_key) references turns (space_id, id) on delete cascade`,
    );
    await runner.query(`create unique index tool_results_by_call on tool_results (space_id, turn_key, call_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table tool_results, interactions, turns`);
  }
}
