import { hasScope, type Role, roleAtLeast, type Scope } from '../access';
import { DatasetCalls } from '../dataset/dataset-calls';
import { scopeOf } from '../define/access-rules';
import type { CallContract } from '../define/contracts';
import { EventBusCalls } from '../event-bus/event-bus.calls';
import { TaskCalls } from '../task/task-calls';
import type { BuiltinTool, KnowledgeSource } from './agent-parts';

interface ToolAuthority {
  /** The operation whose scope saving an agent with this tool needs; null where it touches nothing that a scope protects. */
  calls: CallContract | null;
  /** Changes what the Space shares: needs a caller who is MEMBER or higher, and is not executed in ask mode. */
  action: boolean;
}

/** The one table of what the built-in tools may do. */
export const TOOL_AUTHORITY: Readonly<Record<BuiltinTool, ToolAuthority>> = {
  ask_user: { calls: null, action: false },
  search_datasets: { calls: DatasetCalls.search, action: false },
  query_dataset: { calls: DatasetCalls.query, action: false },
  write_dataset: { calls: DatasetCalls.insert, action: true },
  run_task: { calls: TaskCalls.execute, action: true },
  emit_event: { calls: EventBusCalls.emitFromRun, action: true },
  web_search: { calls: null, action: false },
  save_memory: { calls: null, action: false },
};

export const scopeOfTool = (tool: BuiltinTool): Scope | null => {
  const { calls } = TOOL_AUTHORITY[tool];
  return calls && scopeOf(calls);
};

/** This role stands in for the scope: emitting is for applications, and for people who manage the Space. */
const ROLE_INSTEAD: Readonly<Partial<Record<Scope, Role>>> = { 'events:emit': 'ADMIN' };

/** The scopes that an agent's tools and knowledge use. */
export function scopesOfAgent(agent: {
  tools: readonly BuiltinTool[];
  knowledge: readonly KnowledgeSource[];
}): Scope[] {
  const scopes = new Set<Scope>();
  for (const tool of agent.tools) {
    const scope = scopeOfTool(tool);
    if (scope !== null) scopes.add(scope);
  }
  const ofKnowledge = scopeOf(DatasetCalls.search);
  if (agent.knowledge.length > 0 && ofKnowledge !== null) scopes.add(ofKnowledge);
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
