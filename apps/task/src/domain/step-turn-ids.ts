import { uuidOf } from '@switchyard/kernel';

/** The turn of an agent step: the same for the same attempt, whichever process runs it. */
export const turnOfStep = (executionId: string, stepId: string, attempt: number): string =>
  uuidOf(`${executionId}:${stepId}:${attempt}`);

/** All turns of an execution's agent steps, those of earlier attempts too. */
export const turnsOfSteps = (executionId: string, steps: readonly { step: string; attempt: number }[]): string[] =>
  steps.flatMap(({ step, attempt }) =>
    Array.from({ length: attempt }, (_, before) => turnOfStep(executionId, step, before + 1)),
  );
