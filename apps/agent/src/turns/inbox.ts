import { Injectable } from '@nestjs/common';
import { type Ctx, type InboxInteraction, type ListInteractions, type Page, SessionCalls } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { AgentsService } from '../agents/agents.service';

/** What waits for the caller in the Space, with the names of the agents that ask. */
@Injectable()
export class Inbox {
  constructor(
    private readonly bus: Bus,
    private readonly agents: AgentsService,
  ) {}

  async list(ctx: Ctx, query: ListInteractions): Promise<Page<InboxInteraction>> {
    const { items, nextCursor } = await this.bus.call(SessionCalls.listInteractions, ctx, query);
    const names = new Map<string, string | null>();
    for (const { agentId } of items) if (!names.has(agentId)) names.set(agentId, await this.nameOf(ctx, agentId));
    return { items: items.map((item) => ({ ...item, agentName: names.get(item.agentId) ?? null })), nextCursor };
  }

  private async nameOf(ctx: Ctx, agentId: string): Promise<string | null> {
    try {
      return (await this.agents.get(ctx, agentId)).name;
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
      throw error;
    }
  }
}
