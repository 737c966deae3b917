import { AgentCalls, type AgentView, type Ctx, lending, type ListAgents, type Page } from '@switchyard/contracts';
import type { Bus } from '@switchyard/messaging';

const PAGE = 100;

/** All agents that the caller may call: those of the platform, then those of the Space. */
export async function callableAgents(bus: Bus, ctx: Ctx): Promise<AgentView[]> {
  const { items } = await bus.call(AgentCalls.listSystem, lending(ctx, AgentCalls.listSystem), { limit: PAGE });
  const agents = [...items];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: ListAgents = { accessibleOnly: true, limit: PAGE, ...(cursor === '' ? {} : { cursor }) };
    const page: Page<AgentView> = await bus.call(AgentCalls.list, lending(ctx, AgentCalls.list), query);
    agents.push(...page.items);
    cursor = page.nextCursor;
  }
  return agents;
}
