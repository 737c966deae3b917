import { AgentCalls, type ChangeKeyLimits, type Ctx, type KeyLimits, lending } from '@switchyard/contracts';
import type { Bus } from '@switchyard/messaging';

/**
 * Limits name agents of the Space; those that the key is held to already may have gone meanwhile. Models are the
 * operator's: one that is not in the catalogue, or not any more, allows nothing.
 */
export async function refuseUnknown(
  bus: Bus,
  ctx: Ctx,
  wanted: ChangeKeyLimits | undefined,
  held: KeyLimits = {},
): Promise<void> {
  const agents = (wanted?.agents ?? []).filter((id) => !held.agents?.includes(id));
  // Whoever may make keys need not be able to read agents.
  const asking = lending(ctx, AgentCalls.get);
  await Promise.all([...new Set(agents)].map((agentId) => bus.call(AgentCalls.get, asking, { agentId })));
}
