import type { Execution, NewTask, SwitchyardClient, Task } from '@switchyard/client';
import { isUnderWay } from '../../api/status';
import { isTruncated } from '../executions/truncated';

type WrittenStep = NewTask['steps'][number];

const PAUSE_MS = 500;
/** Where a template begins to read another step, or the event. */
const READS = /(\{\{\s*)(steps|execution\.inputs\.trigger)(?=[.[\s|}])/gu;
const STEP_READ = /\{\{\s*steps(?:\.([\w-]+)|\[\s*["']([^"']+)["']\s*\])/gu;
/** The input of the test that has the results of the past run. */
const PAST = 'pastRun';

const everyText = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => everyText(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, everyText(item, change)]));
};

const pastPath = (text: string): string =>
  text.replaceAll(READS, (_, open: string, path: string) =>
    path === 'steps' ? `${open}execution.inputs.${PAST}.steps` : `${open}execution.inputs.${PAST}.trigger`,
  );

/**
 * The step alone. Its templates read a past run from the inputs, and an error ends the test also where its task would
 * continue.
 */
export function testStepOf(step: WrittenStep): WrittenStep {
  const { continueOnError: _, retry: _retry, ...rest } = step;
  return everyText({ ...rest }, pastPath) as WrittenStep;
}

/** Ids of the steps that its templates read. */
export function stepsReadBy(step: WrittenStep): string[] {
  const ids = new Set<string>();
  everyText([step.with, step.if ?? ''], (text) => {
    for (const [, plain, quoted] of text.matchAll(STEP_READ)) ids.add(plain ?? quoted ?? '');
    return text;
  });
  return [...ids];
}

const readsPast = (step: WrittenStep): boolean => JSON.stringify(testStepOf(step)).includes(`execution.inputs.${PAST}`);

type Content = Parameters<SwitchyardClient['tasks']['executionContent']>[1];

/** Inputs of a past run, with the results that the step reads. */
async function inputsOf(client: SwitchyardClient, run: Execution, step: WrittenStep): Promise<Record<string, unknown>> {
  const whole = async (value: unknown, field: Content): Promise<unknown> =>
    isTruncated(value) ? new Response(await client.tasks.executionContent(run.id, field)).json() : value;
  const inputs = (await whole(run.inputs, 'inputs')) as Record<string, unknown>;
  const { trigger = null, ...own } = inputs;
  if (!readsPast(step)) return own;
  const steps: Record<string, unknown> = {};
  for (const { id, status, error, output } of run.steps)
    if (stepsReadBy(step).includes(id))
      steps[id] = { status, error, output: await whole(output, `steps.${id}.output`) };
  return { ...own, [PAST]: { steps, trigger } };
}

interface Test {
  task: Task;
  step: WrittenStep;
  /** The run whose inputs and results the step gets. */
  runId: string;
  onProgress: (execution: Execution) => void;
}

/**
 * Runs one step for real, as a task of its own that is deleted after its end. The API runs whole tasks only: a step
 * that is tested has its own execution, and `execution.id` and `execution.attempt` are those of the test.
 */
export async function testRun(client: SwitchyardClient, { task, step, runId, onProgress }: Test): Promise<Execution> {
  const inputs = await inputsOf(client, await client.tasks.execution(runId), step);
  const { id } = await client.tasks.create({
    name: `Test of ${step.id} in ${task.name}`.slice(0, 200),
    description: `One step of the task ${task.id}. It is deleted when the test has ended.`,
    type: 'MANUAL',
    active: false,
    steps: [testStepOf(step)],
    timeoutSeconds: task.timeoutSeconds,
  });
  try {
    let execution = await client.tasks.execute(id, { inputs });
    onProgress(execution);
    while (isUnderWay(execution.status)) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      execution = await client.tasks.execution(execution.id);
      onProgress(execution);
    }
    return execution;
  } finally {
    await client.tasks.remove(id);
  }
}
