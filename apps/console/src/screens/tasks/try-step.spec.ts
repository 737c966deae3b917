/// <reference types="jest" />
import { stepsReadBy } from './try-step';

it('the steps that a step reads are named by its templates', () => {
  const step = {
    id: 'pay',
    type: 'http' as const,
    if: '{{ steps.check.output.ok }}',
    with: {
      body: { total: '{{steps.check-2.output.total | round: 2}}', event: '{{ execution.inputs.trigger.payload.id }}' },
      list: ['steps.no', '{{ steps["odd"].output | default: "{{" }}', 7, null, '{{ stepsDone }}'],
    },
  };
  expect(stepsReadBy(step).sort()).toEqual(['check', 'check-2', 'odd']);
});
