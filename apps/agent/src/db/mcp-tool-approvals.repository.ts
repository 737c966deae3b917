import { Injectable } from '@nestjs/common';
import { newId } from '@switchyard/kernel';
import type { Tx } from '@switchyard/database';
import type { ApprovedTools } from '../domain/approved-tool-definitions';
import { mcpApprovals } from './tables';

export interface ServerOfAgent {
  spaceId: string;
  agentId: string;
  server: string;
  url: string;
}

/** Which definitions of tools were approved for an agent, by server. */
@Injectable()
export class McpToolApprovalsRepository {
  async find(tx: Tx, { spaceId, agentId, server, url }: ServerOfAgent): Promise<ApprovedTools | null> {
    const row = await tx.rows(mcpApprovals).only('tools').find({ spaceId, agentId, server, url });
    return row?.tools ?? null;
  }

  /** The first stored definition wins over concurrent ones. */
  async keepFirst(tx: Tx, at: ServerOfAgent, tools: ApprovedTools): Promise<void> {
    await tx.run(
      `insert into mcp_approvals as known (space_id, id, agent_id, server, url, tools) values ($1, $2, $3, $4, $5, $6)
       on conflict (space_id, agent_id, server) do update set url = $5, tools = $6, approved_by = null, approved_at = now()
       where known.url <> $5`,
      [at.spaceId, newId(), at.agentId, at.server, at.url, JSON.stringify(tools)],
    );
  }

  async approve(tx: Tx, at: ServerOfAgent, tools: ApprovedTools, by: string | null): Promise<void> {
    const { spaceId, agentId, server, url } = at;
    await tx
      .rows(mcpApprovals)
      .put({ spaceId, id: newId(), agentId, server, url, tools, approvedBy: by, approvedAt: () => 'now()' }, [
        'spaceId',
        'agentId',
        'server',
      ]);
  }

  async remove(tx: Tx, spaceId: string, agentId: string, servers: readonly string[]): Promise<void> {
    await tx.run('delete from mcp_approvals where space_id = $1 and agent_id = $2 and server = any($3)', [
      spaceId,
      agentId,
      servers,
    ]);
  }

  async removeAll(tx: Tx, spaceId: string, agentId: string): Promise<void> {
    await tx.rows(mcpApprovals).remove({ spaceId, agentId });
  }
}
