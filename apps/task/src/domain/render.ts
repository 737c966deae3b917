import { AppError, isPlainObject } from '@switchyard/kernel';
import { fillIn } from './template';

/** What the steps of an execution may become: a step that fills in its predecessor twice doubles it, and so on. */
export const RENDER_LIMIT = 1024 * 1024;

/** What templates see. */
export interface Scope {
  execution: {
    id: string;
    taskId: string;
    attempt: number;
    inputs: Record<string, unknown>;
    scheduledFor: string | null;
  };
  steps: Record<string, { status: string; output: unknown; error: unknown }>;
}

/** Fills every text of a JSON value in. Keys stay as they are. */
export function render(value: unknown, scope: Scope, limit = RENDER_LIMIT): unknown {
  let left = limit;
  const spend = (cost: number): void => {
    left -= cost;
    if (left < 0)
      throw new AppError(
        'VALIDATION_ERROR',
        `The step's input is over ${limit} characters; pass on less of what earlier steps gave.`,
      );
  };
  const walk = (node: unknown): unknown => {
    spend(1);
    if (typeof node === 'string') {
      const filled = fillIn(node, scope);
      spend(typeof filled === 'string' ? filled.length : JSON.stringify(filled).length);
      return filled;
    }
    if (Array.isArray(node)) return node.map(walk);
    if (isPlainObject(node)) return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, walk(child)]));
    return node;
  };
  return walk(value);
}
