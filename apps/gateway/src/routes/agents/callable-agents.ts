import { AgentCalls, type AgentSummary, type Ctx, lending, type ListAgents, type Page } from '@switchyard/contracts';
import type { Bus } from '@switchyard/messaging';
import type { Principals } from '../../auth/principals';

const PAGE = 100;
/** A Space with more of them asks for the one it wants. */
export const MAX_CALLABLE = 1000;

export type CallableAgent = Pick<AgentSummary, 'id' | 'name' | 'description' | 'createdAt' | 'updatedAt'>;

// Of each page only this is kept.
const brief = ({ id, name, description, createdAt, updatedAt }: AgentSummary): CallableAgent => ({
  id,
  name,
  description,
  createdAt,
  updatedAt,
});

/** The agents that the caller may call, and that its key is not kept from: those of the platform, then of the Space. */
export async function callableAgents(bus: Bus, principals: Principals, ctx: Ctx): Promise<CallableAgent[]> {
  const { agents: allowed } = principals.limitsOf(ctx);
  const mayCall = ({ id }: AgentSummary): boolean => allowed?.includes(id) ?? true;
  const { items } = await bus.call(AgentCalls.listSystem, lending(ctx, AgentCalls.listSystem), { limit: PAGE });
  const agents = items.filter(mayCall).map(brief);
  // Of a key that is held to certain agents, no more than those are to be found.
  const most = Math.min(MAX_CALLABLE, allowed?.length ?? MAX_CALLABLE);
  let cursor: string | null = '';
  while (cursor !== null && agents.length < most) {
    const query: ListAgents = { accessibleOnly: true, limit: PAGE, ...(cursor === '' ? {} : { cursor }) };
    const page: Page<AgentSummary> = await bus.call(AgentCalls.list, lending(ctx, AgentCalls.list), query);
    agents.push(...page.items.filter(mayCall).map(brief));
    cursor = page.nextCursor;
  }
  return agents.slice(0, MAX_CALLABLE);
}
