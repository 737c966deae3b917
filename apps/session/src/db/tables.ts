import type { SessionStatus } from '@switchyard/contracts';
import { column, defineTable } from '@switchyard/database';
import type { JsonObject } from '@switchyard/kernel';

const { filled, int, json, nullable, tenantKey, text, time, uuid } = column;
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
  },
  {
    otherIndexes: ['sessions_of_a_user', 'sessions_deleted'],
    checks: { sessions_status_check: `status in ('ACTIVE', 'DELETED')` },
  },
);

/** Messages and turns are written with every turn: their SQL is in their files. */
export const tables = [sessions];
