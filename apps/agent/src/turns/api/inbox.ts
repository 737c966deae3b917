import { Injectable } from '@nestjs/common';
import {
  type Ctx,
  type InboxInteraction,
  type ListInteractions,
  type Page,
  roleAtLeast,
  SessionCalls,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { AgentsService } from '../../agents/agents.service';
import { mayCall } from '../../domain/access';
import type { AgentRecord } from '../../domain/stored-agent';

/** Pages of which nothing is left that one request goes past. */
const MAX_PAGES = 20;

/** Interactions that wait for the caller in the Space, with agent names. */
@Injectable()
export class Inbox {
  constructor(
    private readonly bus: Bus,
    private readonly agents: AgentsService,
  ) {}

  /** Of those that wait, only what the caller can answer: whose agent is there, and may be called. */
  async list(ctx: Ctx, query: ListInteractions): Promise<Page<InboxInteraction>> {
    const agents = new Map<string, AgentRecord | null>();
    let cursor = query.cursor;
    for (let pages = 1; ; pages += 1) {
      const page = { ...query, ...(cursor === undefined ? {} : { cursor }) };
      const { items, nextCursor } = await this.bus.call(SessionCalls.listInteractions, ctx, page);
      const shown: InboxInteraction[] = [];
      for (const item of items) {
        const { agentId } = item;
        if (!agents.has(agentId)) agents.set(agentId, await this.agents.find(ctx, agentId));
        const agent = agents.get(agentId) ?? null;
        if (query.status === 'PENDING' && !(await this.mayAnswer(ctx, item, agent))) continue;
        shown.push({ ...item, agentName: agent?.name ?? null });
      }
      // A page of which nothing is left would look like the end of the list.
      if (shown.length > 0 || nextCursor === null || pages === MAX_PAGES) return { items: shown, nextCursor };
      cursor = nextCursor;
    }
  }

  /** As a resume decides. An ADMIN need not be allowed to call the agents of others' turns. */
  private async mayAnswer(ctx: Ctx, { userId }: InboxInteraction, agent: AgentRecord | null): Promise<boolean> {
    const isFree = userId !== ctx.userId && roleAtLeast(ctx.role, 'ADMIN');
    if (agent === null || (!isFree && !mayCall(ctx, agent))) return false;
    return this.agents.keyAllows(ctx, agent);
  }
}
