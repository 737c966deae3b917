/// <reference types="jest" />
import type { Task } from '@switchyard/client';
import { bodyOf, changesOf, draftOf, emptyTask, newStep, stepsIn, textOfSteps } from './task-form';

const task: Task = {
  id: 't',
  name: 'Letter',
  description: null,
  type: 'SCHEDULE',
  active: true,
  ownerId: 'u',
  steps: [
    {
      id: 'a',
      type: 'wait',
      with: { seconds: 1 },
      retry: { maxAttempts: 2, backoffSeconds: 5 },
      continueOnError: true,
    },
    { id: 'b', type: 'transform', with: { value: '{{ steps.a.output }}' }, if: '{{ execution.inputs.go }}' },
  ],
  inputs: { topic: 'trains' },
  schedule: { cron: '0 9 * * 1-5', timezone: 'Europe/Lisbon', misfire: 'RUN_ONCE' },
  nextRunAt: null,
  concurrency: { limit: 5, policy: 'QUEUE' },
  retry: { maxAttempts: 1, backoffSeconds: 1 },
  timeoutSeconds: 3600,
  metadata: {},
  version: 3,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

describe('what a saved task sends', () => {
  const before = draftOf(task);

  it('is nothing when nothing has changed, also after a look at the steps as JSON', () => {
    expect(changesOf(before, before)).toEqual({});
    expect(changesOf({ ...before, stepsText: textOfSteps(before.steps) }, before)).toEqual({});
  });

  it('is the changed field alone: the steps and inputs decide whose task it is', () => {
    expect(changesOf({ ...before, active: false }, before)).toEqual({ active: false });
    expect(changesOf({ ...before, timeoutSeconds: 60 }, before)).toEqual({ timeoutSeconds: 60 });
    expect(changesOf({ ...before, type: 'MANUAL' }, before)).toEqual({ type: 'MANUAL', schedule: null });
  });

  it('is every step when one of them has changed, with what the form does not show', () => {
    const [first, second] = before.steps;
    const steps = [{ ...first!, maxAttempts: 4 }, second!];
    expect(changesOf({ ...before, steps }, before)).toEqual({
      steps: [{ ...task.steps[0]!, retry: { maxAttempts: 4, backoffSeconds: 5 } }, task.steps[1]!],
    });
  });
});

describe('the steps as JSON', () => {
  it('are read back as they were written', () => {
    expect(bodyOf({ ...draftOf(task), stepsText: JSON.stringify(task.steps) }).steps).toEqual(task.steps);
  });

  it.each(['', '{}', '[1]', '[null]', '[[]]', '[{]'])('are refused where they are no list of steps: %s', (text) => {
    expect(stepsIn(text)).toBeNull();
    expect(() => bodyOf({ ...draftOf(task), stepsText: text })).toThrow(/JSON list/);
  });
});

describe('a new task', () => {
  it('leaves the limits that are not given to the deployment', () => {
    const { retry, timeoutSeconds, concurrency } = bodyOf({ ...emptyTask, name: 'n', steps: [newStep(0)] });
    expect({ retry, timeoutSeconds, concurrency }).toEqual({ retry: {}, concurrency: { policy: 'QUEUE' } });
  });

  it.each(['[]', '3', '{'])('names the part that is no JSON object: %s', (text) => {
    expect(() => bodyOf({ ...emptyTask, inputs: text })).toThrow('Default inputs');
    expect(() => bodyOf({ ...emptyTask, steps: [{ ...newStep(0), with: text }] })).toThrow('Step step1');
  });
});
