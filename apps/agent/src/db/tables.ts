import type { AccessScope, AgentType, Oversized } from '@switchyard/contracts';
import { column, defineTable } from '@switchyard/database';
import type { StoredBody } from '../domain/stored-agent';
import type { ApprovedTools } from '../domain/approved-tool-definitions';

const { counted, filled, int, json, listOf, nullable, savedAt, tenantKey, text, time, uuid } = column;
const NOW = 'now()';

type SealedHeaders = Record<string, string>;

export const agents = defineTable(
  'agents',
  {
    ...tenantKey,
    name: text(),
    agentType: text<AgentType>(),
    accessScope: text<AccessScope>(),
    allowedUserIds: filled(listOf(uuid()), `'{}'`),
    body: json<StoredBody>(),
    secrets: filled(json<SealedHeaders>(), `'{}'`),
    version: counted(int()),
    createdBy: nullable(uuid()),
    createdAt: filled(time(), NOW),
    updatedAt: savedAt(NOW),
    /** Kept by a trigger: the fields that are over their limits. */
    oversized: filled(nullable(json<Oversized[]>())),
  },
  {
    indexes: { agents_newest: { columns: ['spaceId', 'id'] } },
    otherIndexes: ['agents_of_a_secret', 'agents_prompts'],
  },
);

export const agentVersions = defineTable(
  'agent_versions',
  {
    ...tenantKey,
    agentId: uuid(),
    version: int(),
    body: json<StoredBody>(),
    secrets: filled(json<SealedHeaders>(), `'{}'`),
    changedBy: nullable(uuid()),
    createdAt: filled(time(), NOW),
    removedAt: nullable(time()),
    oversized: filled(nullable(json<Oversized[]>())),
  },
  {
    uniques: [['spaceId', 'agentId', 'version']],
    indexes: { agent_versions_removed: { columns: ['removedAt'], where: 'removed_at is not null' } },
  },
);

export const memories = defineTable(
  'memories',
  {
    ...tenantKey,
    agentId: uuid(),
    userId: uuid(),
    text: text(),
    createdAt: filled(time(), NOW),
    /** Null for memories from before it was kept. */
    turnId: nullable(uuid()),
    /** Null until it is corrected. */
    updatedAt: nullable(time()),
  },
  {
    indexes: {
      memories_of_user: { columns: ['spaceId', 'agentId', 'userId', 'id'] },
      memories_newest: { columns: ['spaceId', 'agentId', 'id'] },
    },
  },
);

export const mcpApprovals = defineTable(
  'mcp_approvals',
  {
    ...tenantKey,
    agentId: uuid(),
    server: text(),
    url: text(),
    tools: json<ApprovedTools>(),
    approvedBy: nullable(uuid()),
    approvedAt: filled(time(), NOW),
  },
  { uniques: [['spaceId', 'agentId', 'server']] },
);

/** The bytes of kept frames are counted by turns, in SQL of their own. */
export const tables = [agents, agentVersions, memories, mcpApprovals];
