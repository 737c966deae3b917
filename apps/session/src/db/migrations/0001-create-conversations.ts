import { protectTable, tenantTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateConversations1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
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
       deleted_at timestamptz`,
    );
    await runner.query(`create index sessions_of_a_user on sessions (space_id, user_id, id) where status = 'ACTIVE'`);
    await runner.query(`create index sessions_deleted on sessions (deleted_at) where status = 'DELETED'`);

    // Read, written and removed by session and seq alone: one index is enough. Large columns are json, not jsonb:
    // they are read back as they were written, and never searched.
    await runner.query(
      `create table messages (
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
         primary key (space_id, session_id, seq),
         foreign key (space_id, session_id) references sessions (space_id, id) on delete cascade
       )`,
    );
    await protectTable(runner, 'messages');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table messages, sessions`);
  }
}
