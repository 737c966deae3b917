import type { Execution, NewTask, SwitchyardClient } from '@switchyard/client';
import { isUnderWay } from '../../api/status';

type WrittenStep = NewTask['steps'][number];

const PAUSE_MS = 500;
const STEP_READ = /\{\{\s*steps(?:\.([\w-]+)|\[\s*["']([^"']+)["']\s*\])/gu;

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const item of Object.values(value) as unknown[]) yield* textsIn(item);
}

/** Ids of the steps that its templates read. */
export function stepsReadBy(step: WrittenStep): string[] {
  const texts = [...textsIn([step.with, step.if ?? ''])];
  const ids = texts.flatMap((text) => [...text.matchAll(STEP_READ)].map(([, plain, quoted]) => plain ?? quoted ?? ''));
  return [...new Set(ids)];
}

interface Trial {
  /** The run whose inputs and results the step gets. */
  runId: string;
  step: WrittenStep;
  onProgress: (execution: Execution) => void;
}

/** Runs one step as it is written, and follows it to its end. */
export async function tryStep(client: SwitchyardClient, { runId, step, onProgress }: Trial): Promise<void> {
  let execution = await client.tasks.tryStep(runId, { step, idempotencyKey: crypto.randomUUID() });
  onProgress(execution);
  while (isUnderWay(execution.status)) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    execution = await client.tasks.execution(execution.id);
    onProgress(execution);
  }
}
