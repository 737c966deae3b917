import { hasScope, type Role, roleAtLeast, type Scope } from '../access';
import { DatasetCalls } from '../dataset/dataset-calls';
import { scopeOf } from '../define/access-rules';
import type { CallContract } from '../define/define-contracts';
import { EventBusCalls } from '../event-bus/event-bus.calls';
import { TaskCalls } from '../task/task-calls';
import type { BuiltinTool, KnowledgeSource } from './agent-field-types';

/** The operation behind each built-in tool; null if it needs no scope. */
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

/** The scope required to save an agent with this tool. */
export const scopeOfTool = (tool: BuiltinTool): Scope | null => {
  const contract = CALLED_BY[tool];
  return contract && scopeOf(contract);
};

/** The role required to use the tool, if its operation requires one. */
export const roleOfTool = (tool: BuiltinTool): Role | null => {
  const access = CALLED_BY[tool]?.access;
  return typeof access === 'object' ? (access.role ?? null) : null;
};

/** Whether the tool changes shared data, and so does not run in ask mode. */
export const isAction = (tool: BuiltinTool): boolean => {
  const contract = CALLED_BY[tool];
  return contract !== null && contract.tool?.readOnly !== true;
};

/** Roles that replace a scope: only applications and managers of the Space may emit. */
const ROLE_INSTEAD: Readonly<Partial<Record<Scope, Role>>> = { 'events:emit': 'ADMIN' };

/** Scopes used by an agent's tools and knowledge. */
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

/** The agent's scopes that the caller lacks and so cannot grant. */
export const missingScopes = (
  caller: { role: Role | null; scopes: readonly string[] },
  needed: readonly Scope[],
): Scope[] =>
  needed.filter((scope) => {
    const role = ROLE_INSTEAD[scope];
    return !hasScope(caller.scopes, scope) && (role === undefined || !roleAtLeast(caller.role, role));
  });
