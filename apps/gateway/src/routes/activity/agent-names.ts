import { Injectable } from '@nestjs/common';
import { AgentCalls, type Ctx, requireSpace, lending } from '@switchyard/contracts';
import { RefreshingCache } from '@switchyard/concurrency';
import { AppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';

const FRESH_MS = 60_000;
const MAX_BYTES = 2 * 1024 * 1024;

/** The names of agents, for rows that only know their ids. */
@Injectable()
export class AgentNames {
  private readonly names = new RefreshingCache<{ name: string | null }>({ freshMs: FRESH_MS, maxBytes: MAX_BYTES });

  constructor(private readonly bus: Bus) {}

  /** Null for agents that are gone, and for all of them while the agent service is away. */
  async of(ctx: Ctx, agentIds: Iterable<string>): Promise<ReadonlyMap<string, string | null>> {
    const found = await Promise.all(
      [...new Set(agentIds)].map(async (id) => [id, await this.nameOf(ctx, id)] as const),
    );
    return new Map(found);
  }

  private async nameOf(ctx: Ctx, agentId: string): Promise<string | null> {
    try {
      const found = await this.names.get(`${requireSpace(ctx)}/${agentId}`, () => this.load(ctx, agentId));
      return found.name;
    } catch {
      return null;
    }
  }

  private async load(ctx: Ctx, agentId: string): Promise<{ name: string | null }> {
    try {
      // A row that may be seen shows whose it is, with or without the scope for agents.
      const { name } = await this.bus.call(AgentCalls.get, lending(ctx, AgentCalls.get), { agentId });
      return { name };
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return { name: null };
      throw error;
    }
  }
}
