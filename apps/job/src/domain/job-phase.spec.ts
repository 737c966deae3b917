import { JOB_PHASES } from '@switchyard/contracts';
import { hasEnded, mayMove, onCancel } from './job-phase';

describe('the phases of a job', () => {
  it('end for good', () => {
    const ends = JOB_PHASES.filter(hasEnded);
    expect(ends).toEqual(['SUCCEEDED', 'FAILED', 'CANCELLED', 'TIMED_OUT']);
    for (const end of ends) for (const phase of JOB_PHASES) expect(mayMove(end, phase)).toBe(false);
  });

  it('lead from cancelling to cancelled and nowhere else', () => {
    expect(JOB_PHASES.filter((phase) => mayMove('CANCELLING', phase))).toEqual(['CANCELLED']);
  });

  it('lead from retrying back to running', () => expect(mayMove('RETRYING', 'RUNNING')).toBe(true));

  it.each([
    ['QUEUED', 'CANCELLED'],
    ['RETRYING', 'CANCELLED'],
    ['WAITING_INPUT', 'CANCELLED'],
    ['RUNNING', 'CANCELLING'],
    ['CANCELLING', 'CANCELLING'],
    ['CANCELLED', 'CANCELLED'],
    ['SUCCEEDED', null],
    ['FAILED', null],
    ['TIMED_OUT', null],
  ] as const)('a cancel makes of %s: %s', (phase, then) => expect(onCancel(phase)).toBe(then));
});
