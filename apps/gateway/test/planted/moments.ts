import type { Maker } from './maker';

/** Far from now: no loop takes the row up while the reads are checked. */
const LATER = `clock_timestamp() + interval '1 day'`;

/**
 * Rows that exist only for a moment, or only after hours: as a process leaves them that ended in that moment, or as the
 * loop writes them that has not come yet.
 */
export async function rowsOfAMoment(
  { platform, space }: Maker,
  { agentId, importId }: { agentId: string; importId: string },
): Promise<void> {
  const statements = [
    `insert into agent.mcp_approvals (space_id, id, agent_id, server, url, tools)
       values ($1, gen_random_uuid(), '${agentId}', 'calc', 'https://example.com/mcp', '{"add": "digest"}')`,
    `insert into dataset.import_parts (space_id, import_id, part, rows) values ($1, '${importId}', 900, '[{"t": "x"}]')`,
    `insert into event_bus.application_changes (space_id, id, application_id, identifier, kind, actor, watches, started_at)
       values ($1, gen_random_uuid(), gen_random_uuid(), 'planted-change', 'install', '{"requestId": "r"}', '[]', ${LATER})`,
    `insert into event_bus.activity_counts (space_id, owner_id, hour, status, n)
       values ($1, gen_random_uuid(), 1, 'DISPATCHED', 1) on conflict do nothing`,
    `insert into key.ended_key_limits (space_id, id, limits) values ($1, gen_random_uuid(), '{"dailyTokens": 1}')`,
    `insert into relay.low_balances (space_id, reason, credit_seq) values ($1, 'TENTH', 1) on conflict do nothing`,
    `insert into relay.reached_limits (space_id, limit_name, value) values ($1, 'members', 1) on conflict do nothing`,
    `insert into relay.reservations (space_id, id, holder, tokens, facts)
       values ($1, gen_random_uuid(), gen_random_uuid(), 0, '{"model": "sim-chat"}')`,
    `insert into relay.usage_sums (space_id, dimension, grain, start, value, calls, prompt_tokens, completion_tokens, tokens, cost)
       values ($1, 'model', 'day', date_trunc('day', clock_timestamp()), 'sim-chat', 1, 1, 1, 2, 0)`,
    ...['event_bus', 'job', 'session', 'task'].map(
      (schema) =>
        `insert into ${schema}.activity_deltas (space_id, owner_id, hour, status, n) values ($1, gen_random_uuid(), 1, 'FAILED', 1)`,
    ),
    `insert into session.agent_latency (space_id, agent_id, hour, count, failed, longest_ms, durations)
       values ($1, '${agentId}', date_trunc('hour', clock_timestamp()), 1, 0, 1, '{"1": 1}')`,
  ];
  for (const statement of statements) await platform.database.query(statement, [space.id]);
}
