import { type Ctx, type Scope, type TaskStep, hasScope } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';

const READING = new Set(['query', 'count', 'search']);

function scopeOf(step: TaskStep): Scope | null {
  switch (step.type) {
    case 'agent':
      return 'agents:call';
    case 'dataset':
      return READING.has(String(step.with['operation'])) ? 'datasets:read' : 'datasets:write';
    case 'emit':
      return 'events:emit';
    case 'http':
    case 'transform':
    case 'wait':
      return null;
  }
}

/** A task acts with all that its owner may do: a key must not reach through a task what it may not do itself. */
export function checkScopes(ctx: Pick<Ctx, 'scopes'>, steps: readonly TaskStep[]): void {
  for (const step of steps) {
    const scope = scopeOf(step);
    if (scope !== null && !hasScope(ctx.scopes, scope)) {
      throw new AppError(
        'FORBIDDEN',
        `Step "${step.id}" needs the scope ${scope}, which this credential does not have.`,
      );
    }
  }
}
