import {
  Baseline,
  createIndexes,
  createOversizedMark,
  messagingTables,
  tenantTable,
  type WeighedTable,
} from '@switchyard/database';
import type { QueryRunner } from 'typeorm';

const KIB = 1024;
/** The limits in 0.1.0. */
const LIMITS = {
  promptVariables: 64 * KIB,
  mcpServers: 256 * KIB,
  localTools: 256 * KIB,
  approvals: 256 * KIB,
  responseSchema: 64 * KIB,
  metadata: 16 * KIB,
};

const weighed = (table: string): WeighedTable => ({
  table,
  columns: ['body'],
  fields: Object.entries(LIMITS).map(([path, limit]) => ({ path, value: `body -> '${path}'`, limit })),
});

/** All tables of the service, as of 0.1.0. */
export class AgentBaseline1700000001000 extends Baseline {
  static readonly replaces = 'MarkOversizedVersions1700000000009';

  async up(runner: QueryRunner): Promise<void> {
    await messagingTables(runner);
    await agents(runner);
    await versions(runner);
    await memories(runner);
    await mcpApprovals(runner);
    await frames(runner);
  }
}

/** The list of prompts has the same condition as `agents_prompts`, word for word. */
async function agents(runner: QueryRunner): Promise<void> {
  await tenantTable(
    runner,
    'agents',
    `name text not null,
     agent_type text not null,
     access_scope text not null,
     allowed_user_ids uuid[] not null default '{}',
     body jsonb not null,
     secrets jsonb not null default '{}',
     version int not null,
     created_by uuid,
     created_at timestamptz not null default now(),
     updated_at timestamptz not null default now(),
     oversized jsonb`,
  );
  await createIndexes(runner, {
    agents_newest: 'on agents (space_id, id desc)',
    agents_of_a_secret: `on agents using gin ((body -> 'mcpServers') jsonb_path_ops)`,
    agents_prompts: `on agents (space_id, id desc) where (body -> 'promptVariables' <> '[]'::jsonb or strpos(body ->> 'systemPrompt', '{{') > 0)`,
  });
  await createOversizedMark(runner, weighed('agents'));
}

/** Versions of a deleted agent are deleted some time after `removed_at`: running turns may still need them. */
async function versions(runner: QueryRunner): Promise<void> {
  await tenantTable(
    runner,
    'agent_versions',
    `agent_id uuid not null,
     version int not null,
     body jsonb not null,
     secrets jsonb not null default '{}',
     changed_by uuid,
     created_at timestamptz not null default now(),
     removed_at timestamptz,
     oversized jsonb,
     unique (space_id, agent_id, version)`,
  );
  await createIndexes(runner, {
    agent_versions_removed: 'on agent_versions (removed_at) where removed_at is not null',
  });
  await createOversizedMark(runner, weighed('agent_versions'));
}

/** `updated_at` is null until a memory is corrected. */
async function memories(runner: QueryRunner): Promise<void> {
  await tenantTable(
    runner,
    'memories',
    `agent_id uuid not null,
     user_id uuid not null,
     text text not null,
     created_at timestamptz not null default now(),
     turn_id uuid,
     updated_at timestamptz`,
  );
  await createIndexes(runner, {
    memories_newest: 'on memories (space_id, agent_id, id desc)',
    memories_of_user: 'on memories (space_id, agent_id, user_id, id desc)',
  });
}

/** Tools of MCP servers that were approved with an agent. */
async function mcpApprovals(runner: QueryRunner): Promise<void> {
  await tenantTable(
    runner,
    'mcp_approvals',
    `agent_id uuid not null,
     server text not null,
     url text not null,
     tools jsonb not null,
     approved_by uuid,
     approved_at timestamptz not null default now(),
     unique (space_id, agent_id, server)`,
  );
}

/** Bytes that the frames of each turn take of the stream. The id is the key of the turn. */
async function frames(runner: QueryRunner): Promise<void> {
  await tenantTable(
    runner,
    'kept_frames',
    `bytes bigint not null,
     is_running boolean not null,
     written_at timestamptz not null default now()`,
  );
  await createIndexes(runner, {
    kept_frames_age: 'on kept_frames (written_at)',
    kept_frames_oldest: 'on kept_frames (space_id, is_running, written_at) include (bytes)',
  });
}
