/// <reference types="jest" />
import { stepsReadBy, testStepOf } from './test-run';

const step = {
  id: 'pay',
  type: 'http' as const,
  if: '{{ steps.check.output.ok }}',
  continueOnError: true,
  with: {
    url: 'https://a.example/{{ execution.inputs.order }}',
    headers: { authorization: 'Bearer {{ secrets.PAY }}' },
    body: { total: '{{steps.check-2.output.total | round: 2}}', event: '{{ execution.inputs.trigger.payload.id }}' },
    list: ['steps.check.output', '{{ steps["odd"].output | default: "{{" }}', 7, null],
  },
};

it('a step alone reads the past run in place of other steps and the event', () => {
  expect(testStepOf(step)).toEqual({
    id: 'pay',
    type: 'http',
    if: '{{ execution.inputs.pastRun.steps.check.output.ok }}',
    with: {
      url: 'https://a.example/{{ execution.inputs.order }}',
      headers: { authorization: 'Bearer {{ secrets.PAY }}' },
      body: {
        total: '{{execution.inputs.pastRun.steps.check-2.output.total | round: 2}}',
        event: '{{ execution.inputs.pastRun.trigger.payload.id }}',
      },
      list: ['steps.check.output', '{{ execution.inputs.pastRun.steps["odd"].output | default: "{{" }}', 7, null],
    },
  });
  expect(stepsReadBy(step).sort()).toEqual(['check', 'check-2', 'odd']);
});

it('names that only begin alike stay', () => {
  const other = { ...step, if: '{{ stepsDone }}', with: { a: '{{ execution.inputs.triggered }}' } };
  expect(testStepOf(other)).toMatchObject({ if: '{{ stepsDone }}', with: { a: '{{ execution.inputs.triggered }}' } });
  expect(stepsReadBy(other)).toEqual([]);
});
