import {
  AgentCalls,
  BUILTIN_TOOLS,
  type CallContract,
  type Ctx,
  DATASET_OPERATIONS,
  DatasetCalls,
  EventBusCalls,
  type Scope,
  SecretCalls,
  type TaskStep,
  hasScope,
  isDatasetOperation,
  missingScopes,
  scopeOf,
  scopeOfTool,
} from '@switchyard/contracts';
import { AppError, isId } from '@switchyard/kernel';
import { secretNamesOf } from './secret-rules';

/** The scopes that the tools of each agent use, by its id. */
export type ToolScopes = ReadonlyMap<string, readonly Scope[]>;

/** An agent that is unknown, or that the caller may not call, counts as having all tools. */
export const ANY_TOOL: readonly Scope[] = [
  ...new Set(BUILTIN_TOOLS.map(scopeOfTool).filter((scope) => scope !== null)),
];

/** A step whose operation is a template may do the most of them. */
function callOf(step: TaskStep): CallContract | null {
  switch (step.type) {
    case 'agent':
      return AgentCalls.execute;
    case 'dataset': {
      const { operation } = step.with;
      return isDatasetOperation(operation) ? DATASET_OPERATIONS[operation] : DatasetCalls.insert;
    }
    case 'emit':
      return EventBusCalls.emitFromRun;
    case 'http':
    case 'transform':
    case 'wait':
      return null;
  }
}

function scopeOfStep(step: TaskStep): Scope | null {
  const contract = callOf(step);
  return contract && scopeOf(contract);
}

function toolScopesOf(step: TaskStep, tools: ToolScopes): readonly Scope[] {
  if (step.type !== 'agent') return [];
  const { agentId } = step.with;
  return isId(agentId) ? (tools.get(agentId) ?? []) : ANY_TOOL;
}

function secretScopeOf(step: TaskStep): readonly Scope[] {
  const scope = scopeOf(SecretCalls.check);
  return scope !== null && secretNamesOf([step]).length > 0 ? [scope] : [];
}

/** Scopes that these steps need, and scopes of their runs. */
export function scopesOfSteps(steps: readonly TaskStep[], tools: ToolScopes): Scope[] {
  const needed = steps.flatMap((step) => [scopeOfStep(step), ...secretScopeOf(step), ...toolScopesOf(step, tools)]);
  return [...new Set(needed.filter((scope) => scope !== null))].sort();
}

/** Of tasks that were saved before their scopes were recorded: all that their steps and any tool may need. */
export const scopesOfOldTask = (steps: readonly TaskStep[]): Scope[] =>
  scopesOfSteps(steps, { get: () => ANY_TOOL } as unknown as ToolScopes);

/** A step does nothing that was not given when its task was saved. */
export function checkRecorded(ctx: Pick<Ctx, 'scopes'>, step: TaskStep): void {
  const scope = scopeOfStep(step);
  if (scope !== null && !hasScope(ctx.scopes, scope))
    throw new AppError('FORBIDDEN', `The task was saved without the scope ${scope}; save it again to give it.`);
}

/** A task saved by a key cannot exceed the key's scopes. */
export function checkScopes(
  ctx: Pick<Ctx, 'scopes' | 'role'>,
  steps: readonly TaskStep[],
  tools: ToolScopes = new Map(),
): void {
  for (const step of steps) {
    const own = scopeOfStep(step);
    const missing = [
      ...(own !== null && !hasScope(ctx.scopes, own) ? [own] : []),
      ...missingScopes(ctx, [...secretScopeOf(step), ...toolScopesOf(step, tools)]),
    ];
    if (missing.length === 0) continue;
    throw new AppError(
      'FORBIDDEN',
      `Step "${step.id}" needs the ${missing.length === 1 ? 'scope' : 'scopes'} ${missing.join(', ')}, which this credential does not have.`,
    );
  }
}
