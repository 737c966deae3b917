import { stepsReadBy } from './steps-read-by';

it('the steps that a step reads are named by the paths of its templates', () => {
  const step = {
    if: '{{ steps.check.output.ok }}',
    with: {
      url: 'https://a.example/{{ execution.inputs.steps }}',
      body: { total: '{{steps.check-2.output.total | round: 2}}', list: ['steps.no', '{{ steps["odd"].output }}', 7] },
    },
  };
  expect(stepsReadBy(step)?.sort()).toEqual(['check', 'check-2', 'odd']);
  expect(stepsReadBy({ with: { a: '{{ stepsDone }}', b: '{{ "steps.x" }}', c: '{{ broken' } })).toEqual([]);
});

it('a step that reads all results at once may read those of any step', () => {
  expect(stepsReadBy({ with: { all: '{{ steps | json }}', one: '{{ steps.a.output }}' } })).toBeNull();
});
