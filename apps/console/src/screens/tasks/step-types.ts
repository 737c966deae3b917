// Generated from the contracts; do not edit. After a change of the step types: npm run generate
import type { Task } from '@switchyard/client';

export type StepType = Task['steps'][number]['type'];

export const STEP_TYPES: readonly StepType[] = ['agent', 'http', 'dataset', 'emit', 'transform', 'wait'];

/** `with` of a new step. */
export const STEP_EXAMPLES: Record<StepType, unknown> = {
  agent: { agentId: '', inputs: { query: '{{ execution.inputs.query }}' } },
  http: { method: 'GET', url: 'https://' },
  dataset: { datasetId: '', operation: 'query', filter: {} },
  emit: { appIdentifier: '', event: '', payload: {} },
  transform: { value: '{{ execution.inputs }}' },
  wait: { seconds: 10 },
};
