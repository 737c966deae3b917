import { Injectable } from '@nestjs/common';
import { fingerprint } from '@switchyard/kernel';
import { type Ctx, type McpServerView, requireSpace } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { McpToolApprovalsRepository, type ServerOfAgent } from '../db/mcp-tool-approvals.repository';
import type { AgentRecord } from '../domain/stored-agent';
import { type ApprovedTools, type UnapprovedReason, withheld } from '../domain/approved-tool-definitions';
import type { McpTool } from './mcp-tool-list-pages';

export interface JudgedTool extends McpTool {
  withheld: UnapprovedReason | null;
}

/** Of all that the model and the people who approve are told of it. */
export const hashOfTool = (tool: McpTool): string =>
  fingerprint({
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
    annotations: tool.annotations,
  });

const approvedOf = (tools: readonly McpTool[]): ApprovedTools =>
  Object.fromEntries(tools.map((tool) => [tool.name, hashOfTool(tool)]));

/**
 * Holds the tools of an agent's MCP servers to what they were when they were approved: on the first read after the
 * server was added to the agent, or by a person who may change the agent.
 */
@Injectable()
export class McpToolApprovals {
  constructor(
    private readonly database: Database,
    private readonly approvals: McpToolApprovalsRepository,
  ) {}

  async judge(ctx: Ctx, agent: AgentRecord, server: McpServerView, tools: readonly McpTool[]): Promise<JudgedTool[]> {
    const at = locationOf(ctx, agent, server);
    const approved = await this.database.transaction(ctx, async (tx) => {
      const existing = await this.approvals.find(tx, at);
      if (existing) return existing;
      await this.approvals.keepFirst(tx, at, approvedOf(tools));
      return (await this.approvals.find(tx, at)) ?? {};
    });
    return tools.map((tool) => ({
      ...tool,
      withheld: withheld(approved, { name: tool.name, hash: hashOfTool(tool) }),
    }));
  }

  approve(ctx: Ctx, agent: AgentRecord, server: McpServerView, tools: readonly McpTool[]): Promise<void> {
    return this.database.transaction(ctx, (tx) =>
      this.approvals.approve(tx, locationOf(ctx, agent, server), approvedOf(tools), ctx.userId),
    );
  }
}

const locationOf = (ctx: Ctx, agent: AgentRecord, server: McpServerView): ServerOfAgent => ({
  spaceId: requireSpace(ctx),
  agentId: agent.id,
  server: server.name,
  url: server.url,
});
