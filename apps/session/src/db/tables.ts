import type { Oversized, SessionStatus } from '@switchyard/contracts';
import { column, defineTable } from '@switchyard/database';
import type { JsonObject } from '@switchyard/kernel';
import type { Durations } from '../domain/latency-histogram';

const { bigint, filled, int, json, key, nullable, tenantKey, text, time, uuid } = column;
const NOW = 'now()';

export const sessions = defineTable(
  'sessions',
  {
    ...tenantKey,
    userId: uuid(),
    agentId: nullable(uuid()),
    title: nullable(text()),
    status: filled(text<SessionStatus>(), `'ACTIVE'`),
    metadata: filled(json<JsonObject>(), `'{}'`),
    lastSeq: filled(int(), 0),
    messageCount: filled(int(), 0),
    completedTurns: filled(int(), 0),
    summary: filled(nullable(text())),
    summarySeq: filled(int(), 0),
    summaryTokens: filled(int(), 0),
    compactedSeq: filled(int(), 0),
    compactionCount: filled(int(), 0),
    createdAt: filled(time(), NOW),
    updatedAt: filled(time(), NOW),
    lastMessageAt: filled(nullable(time())),
    deletedAt: filled(nullable(time())),
    oversized: filled(nullable(json<Oversized[]>())),
  },
  {
    otherIndexes: [
      'sessions_by_trigrams_of_title',
      'sessions_of_a_user_with_titles',
      'sessions_by_time',
      'sessions_of_an_agent_by_time',
      'sessions_of_a_user_and_agent',
      'sessions_deleted',
    ],
    checks: { sessions_status_check: `status in ('ACTIVE', 'DELETED')` },
  },
);

/** Duration of an agent's turns by hour of start, kept longer than the turns. */
export const agentLatency = defineTable(
  'agent_latency',
  {
    spaceId: key(uuid()),
    agentId: key(uuid()),
    hour: key(time()),
    count: int(),
    failed: int(),
    longestMs: bigint(),
    durations: json<Durations>(),
  },
  { indexes: { agent_latency_by_hour: { columns: ['hour'] } } },
);

/** Turns of a Space that were started before this time are summed up, but for those that are late. */
export const latencySums = defineTable('latency_sums', { spaceId: key(uuid()), until: time() });

/** Turns that were under way when those around them were summed up. */
export const lateTurns = defineTable('late_turns', { ...tenantKey });

/** Messages and turns are written with every turn: their SQL is in their files. */
export const tables = [sessions, agentLatency, latencySums, lateTurns];
