import { Injectable } from '@nestjs/common';
import { AgentCalls, type Ctx, requireSpace, lending } from '@switchyard/contracts';
import { AppError, upToEntries } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { LRUCache } from 'lru-cache';

const KEPT_MS = 60_000;

/** The names of agents, for rows that only know their ids. */
@Injectable()
export class AgentNames {
  private readonly names = new LRUCache<string, { name: string | null }>({ ...upToEntries(5000), ttl: KEPT_MS });

  constructor(private readonly bus: Bus) {}

  /** Null for agents that are gone, and for all of them while the agent service is away. */
  async of(ctx: Ctx, agentIds: Iterable<string>): Promise<ReadonlyMap<string, string | null>> {
    const found = await Promise.all(
      [...new Set(agentIds)].map(async (id) => [id, await this.nameOf(ctx, id)] as const),
    );
    return new Map(found);
  }

  private async nameOf(ctx: Ctx, agentId: string): Promise<string | null> {
    const key = `${requireSpace(ctx)}/${agentId}`;
    const known = this.names.get(key);
    if (known) return known.name;
    try {
      // A row that may be seen shows whose it is, with or without the scope for agents.
      const { name } = await this.bus.call(AgentCalls.get, lending(ctx, AgentCalls.get), { agentId });
      this.names.set(key, { name });
      return name;
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') this.names.set(key, { name: null });
      return null;
    }
  }
}
