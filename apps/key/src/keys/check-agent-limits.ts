import { Injectable } from '@nestjs/common';
import { AgentCalls, type ChangeKeyLimits, type Ctx, type KeyLimits, lending } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';

/**
 * Limits name agents of the Space; those that the key is held to already may have gone meanwhile. Models are the
 * operator's: one that is not in the catalogue, or not any more, allows nothing.
 */
@Injectable()
export class LimitedAgents {
  constructor(private readonly bus: Bus) {}

  /** Throws NOT_FOUND where an agent is not there. */
  async requireKnown(ctx: Ctx, requested: ChangeKeyLimits | undefined, leased: KeyLimits = {}): Promise<void> {
    const agents = (requested?.agents ?? []).filter((id) => !leased.agents?.includes(id));
    // Keys may be made without the scope to read agents.
    const asking = lending(ctx, AgentCalls.get);
    await Promise.all([...new Set(agents)].map((agentId) => this.bus.call(AgentCalls.get, asking, { agentId })));
  }
}
