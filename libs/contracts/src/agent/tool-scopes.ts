import { hasScope, type Role, roleAtLeast, type Scope } from '../access';
import type { BuiltinTool, KnowledgeSource } from './agent-parts';

interface ToolAuthority {
  /** What saving an agent with this tool needs; null where the tool touches nothing that a scope protects. */
  scope: Scope | null;
  /** Changes what the Space shares: needs a caller who is MEMBER or higher, and is not executed in ask mode. */
  action: boolean;
}

/** The one table of what the built-in tools may do. */
export const TOOL_AUTHORITY: Readonly<Record<BuiltinTool, ToolAuthority>> = {
  ask_user: { scope: null, action: false },
  search_datasets: { scope: 'datasets:read', action: false },
  query_dataset: { scope: 'datasets:read', action: false },
  write_dataset: { scope: 'datasets:write', action: true },
  run_task: { scope: 'tasks:execute', action: true },
  emit_event: { scope: 'events:emit', action: true },
  web_search: { scope: null, action: false },
  save_memory: { scope: null, action: false },
};

const KNOWLEDGE_SCOPE: Scope = 'datasets:read';

/** This role stands in for the scope: emitting is for applications, and for people who manage the Space. */
const ROLE_INSTEAD: Readonly<Partial<Record<Scope, Role>>> = { 'events:emit': 'ADMIN' };

/** The scopes that an agent's tools and knowledge use. */
export function scopesOfAgent(agent: {
  tools: readonly BuiltinTool[];
  knowledge: readonly KnowledgeSource[];
}): Scope[] {
  const scopes = new Set<Scope>();
  for (const tool of agent.tools) {
    const { scope } = TOOL_AUTHORITY[tool];
    if (scope !== null) scopes.add(scope);
  }
  if (agent.knowledge.length > 0) scopes.add(KNOWLEDGE_SCOPE);
  return [...scopes].sort();
}

/** Those of an agent's scopes that the caller cannot give away, because the caller does not have them. */
export const missingScopes = (
  caller: { role: Role | null; scopes: readonly string[] },
  needed: readonly Scope[],
): Scope[] =>
  needed.filter((scope) => {
    const role = ROLE_INSTEAD[scope];
    return !hasScope(caller.scopes, scope) && (role === undefined || !roleAtLeast(caller.role, role));
  });
