import { hasScope, type Role, roleAtLeast, type Scope } from '../access';
import { DatasetCalls } from '../dataset/dataset-calls';
import { scopeOf } from '../define/access-rules';
import type { CallContract } from '../define/contracts';
import { EventBusCalls } from '../event-bus/event-bus.calls';
import { TaskCalls } from '../task/task-calls';
import type { BuiltinTool, KnowledgeSource } from './agent-parts';

/** The operation that each built-in tool uses; null where it touches nothing that a scope protects. */
const CALLED_BY: Readonly<Record<BuiltinTool, CallContract | null>> = {
  ask_user: null,
  search_datasets: DatasetCalls.search,
  query_dataset: DatasetCalls.query,
  write_dataset: DatasetCalls.insert,
  run_task: TaskCalls.execute,
  emit_event: EventBusCalls.emitFromRun,
  web_search: null,
  save_memory: null,
};

/** The scope that saving an agent with this tool needs. */
export const scopeOfTool = (tool: BuiltinTool): Scope | null => {
  const contract = CALLED_BY[tool];
  return contract && scopeOf(contract);
};

/** The role that using it needs: the one of its operation, where that names one. */
export const roleOfTool = (tool: BuiltinTool): Role | null => {
  const access = CALLED_BY[tool]?.access;
  return typeof access === 'object' ? (access.role ?? null) : null;
};

/** Changes what the Space shares, and so is not executed in ask mode: its operation is not one that only reads. */
export const isAction = (tool: BuiltinTool): boolean => {
  const contract = CALLED_BY[tool];
  return contract !== null && contract.tool?.readOnly !== true;
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
