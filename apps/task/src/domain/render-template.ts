import { isPlainObject } from '@switchyard/kernel';
import { filling } from './template';
import type { TemplateOutputLimit } from './template-output-limit';

/** Variables of templates. */
export interface TemplateVariables {
  execution: {
    id: string;
    taskId: string;
    attempt: number;
    inputs: Record<string, unknown>;
    scheduledFor: string | null;
  };
  steps: Record<string, { status: string; output: unknown; error: unknown }>;
}

/**
 * Fills every text of a JSON value in. Keys stay as they are. It pauses after each slice of work; see `runInSlices`.
 */
export function* rendering(
  value: unknown,
  scope: TemplateVariables,
  meter: TemplateOutputLimit,
): Generator<void, unknown> {
  meter.step(1);
  if (typeof value === 'string') {
    const filled = yield* filling(value, scope, meter);
    if (meter.isSliceOver) yield;
    return filled;
  }
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(yield* rendering(item, scope, meter));
    return items;
  }
  if (!isPlainObject(value)) return value;
  const fields: [string, unknown][] = [];
  for (const [key, child] of Object.entries(value)) {
    meter.step(key.length);
    fields.push([key, yield* rendering(child, scope, meter)]);
  }
  return Object.fromEntries(fields);
}
