import { Injectable } from '@nestjs/common';
import { AgentSignals, type Ctx, requireSpace } from '@switchyard/contracts';
import { RefreshingCache } from '@switchyard/concurrency';
import { Database } from '@switchyard/database';
import { Bus } from '@switchyard/messaging';
import { AgentsRepository, type ReadAgent } from '../db/agents.repository';
import type { AgentRecord } from '../domain/stored-agent';
import { HeavySlots } from '../turns/limits/heavy-slots';

/** A change is announced, so this is only for announcements that were lost. */
const FRESH_MS = 10_000;
/** Agents have prompts, tools and schemas of up to a megabyte. */
const MAX_BYTES = 48 * 1024 * 1024;

const keyOf = (spaceId: string, agentId: string): string => `${spaceId}/${agentId}`;

/**
 * Agents as every call needs them, kept by each replica. A change is told to all replicas before it is answered, over
 * the line that brings them the calls of those who have heard the answer; a replica that loses the line forgets all.
 */
@Injectable()
export class AgentCache {
  private readonly cache = new RefreshingCache<ReadAgent, null>({
    freshMs: FRESH_MS,
    maxBytes: MAX_BYTES,
    bytesOf: ({ bytes }) => bytes,
  });

  constructor(
    private readonly database: Database,
    private readonly agents: AgentsRepository,
    private readonly bus: Bus,
    private readonly heavy: HeavySlots,
  ) {
    bus.onDown(() => {
      this.cache.clear();
    });
  }

  find(ctx: Ctx, agentId: string): AgentRecord | Promise<AgentRecord | null> {
    const spaceId = requireSpace(ctx);
    const read = (): Promise<ReadAgent | null> =>
      this.heavy.run(ctx, () => this.database.transaction(ctx, (tx) => this.agents.read(tx, spaceId, agentId)));
    const found = this.bus.isUp ? this.cache.get(keyOf(spaceId, agentId), read) : read();
    return found instanceof Promise ? found.then((agent) => agent?.record ?? null) : found.record;
  }

  /** To be called once a change is committed, and before it is answered. */
  changed(ctx: Ctx, agentId: string): void {
    const spaceId = requireSpace(ctx);
    this.invalidate(spaceId, agentId);
    this.bus.signal(AgentSignals.changed, ctx, { spaceId, agentId });
  }

  invalidate(spaceId: string, agentId: string): void {
    this.cache.delete(keyOf(spaceId, agentId));
  }
}
