import { planNext, StepStand, toRunAgain } from './next-step';

const stand = (id: string, status: StepStand['status'], output: unknown = null): [string, StepStand] => [
  id,
  { id, status, output, error: status === 'FAILED' ? { code: 'NOT_FOUND', message: 'gone' } : null },
];
const steps = [{ id: 'a' }, { id: 'b', continueOnError: true }, { id: 'c' }];

describe('what comes next', () => {
  it('starts with the first step', () => expect(planNext(steps, new Map())).toEqual({ next: steps[0] }));

  it('goes on behind recorded steps, and never over them again', () => {
    expect(planNext(steps, new Map([stand('a', 'SUCCEEDED', 1)]))).toEqual({ next: steps[1] });
    expect(planNext(steps, new Map([stand('a', 'SKIPPED'), stand('b', 'SKIPPED')]))).toEqual({ next: steps[2] });
  });

  it('takes a started step without a result up again', () => {
    expect(planNext(steps, new Map([stand('a', 'RUNNING')]))).toEqual({ next: steps[0] });
  });

  it('fails with the first failure that is not tolerated', () => {
    expect(planNext(steps, new Map([stand('a', 'FAILED')]))).toEqual({
      end: 'FAILED',
      error: { code: 'NOT_FOUND', message: 'Step "a" failed: gone' },
    });
  });

  it('goes on behind a tolerated failure, and succeeds', () => {
    const stands = new Map([stand('a', 'SUCCEEDED', 1), stand('b', 'FAILED'), stand('c', 'SUCCEEDED', { x: 1 })]);
    expect(planNext(steps, stands)).toEqual({ end: 'SUCCEEDED', output: { x: 1 } });
  });

  it('answers with the last output there is', () => {
    expect(
      planNext(steps, new Map([stand('a', 'SUCCEEDED', 1), stand('b', 'SKIPPED'), stand('c', 'SKIPPED')])),
    ).toEqual({ end: 'SUCCEEDED', output: 1 });
  });
});

describe('a retry', () => {
  it('clears the failed step and what was interrupted, and nothing with a result', () => {
    expect(toRunAgain(steps, new Map([stand('a', 'SUCCEEDED'), stand('b', 'FAILED'), stand('c', 'FAILED')]))).toEqual([
      'c',
    ]);
    expect(toRunAgain(steps, new Map([stand('a', 'CANCELLED')]))).toEqual(['a']);
  });
});
