import { Injectable } from '@nestjs/common';
import {
  AgentCalls,
  type Ctx,
  DatasetCalls,
  type Scope,
  SecretCalls,
  type TaskStep,
  hasScope,
} from '@switchyard/contracts';
import { AppError, invalid, isId } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { checkedSecretNames } from '../domain/secret-rules';
import { ANY_TOOL, type ToolScopes } from '../domain/task-scopes';

const idsIn = (steps: readonly TaskStep[], type: TaskStep['type'], field: string): string[] => [
  ...new Set(
    steps
      .filter((step) => step.type === type)
      .map((step) => step.with[field])
      .filter(isId),
  ),
];

/** References in steps must exist when saved. Access of the owner is checked at every run. */
@Injectable()
export class TaskReferences {
  constructor(private readonly bus: Bus) {}

  /** Gives the scopes that the tools of the agents use. */
  async check(ctx: Ctx, steps: readonly TaskStep[]): Promise<ToolScopes> {
    const datasets = idsIn(steps, 'dataset', 'datasetId').map((id) => this.bus.call(DatasetCalls.get, ctx, { id }));
    const [tools] = await Promise.all([
      this.toolScopes(ctx, steps, { mustExist: true }),
      this.checkSecrets(ctx, steps),
      ...datasets,
    ]);
    return tools;
  }

  /** Steps that stay as they are may name what is gone by now: their task can still be switched off. */
  async toolScopes(ctx: Ctx, steps: readonly TaskStep[], how: { mustExist: boolean }): Promise<ToolScopes> {
    const agents = idsIn(steps, 'agent', 'agentId');
    const scopes = await Promise.all(agents.map((agentId) => this.scopesOf(ctx, agentId, how)));
    return new Map(agents.map((agentId, at) => [agentId, scopes[at] ?? []]));
  }

  private async checkSecrets(ctx: Ctx, steps: readonly TaskStep[]): Promise<void> {
    const names = checkedSecretNames(steps);
    if (names.length === 0) return;
    if (!hasScope(ctx.scopes, 'secrets:read'))
      throw new AppError('FORBIDDEN', 'Using secrets in steps needs the scope secrets:read.');
    const { unknown } = await this.bus.call(SecretCalls.check, ctx, { names });
    if (unknown.length > 0) throw invalid('steps', `name secrets that the Space does not have: ${unknown.join(', ')}`);
  }

  private async scopesOf(ctx: Ctx, agentId: string, { mustExist }: { mustExist: boolean }): Promise<readonly Scope[]> {
    try {
      return (await this.bus.call(AgentCalls.checkCallable, ctx, { agentId })).toolScopes;
    } catch (error) {
      const code = error instanceof AppError ? error.code : null;
      // A run acts as the owner of the task. The owner may call agents that the saving key or person may not.
      if (code === 'FORBIDDEN') return ANY_TOOL;
      if (code === 'NOT_FOUND' && !mustExist) return [];
      throw error;
    }
  }
}
