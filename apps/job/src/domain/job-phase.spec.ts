import { BUSY, ENDED, LEASABLE, leasableBefore, onCancel, QUEUED, TIMED } from './job-phase';

describe('the phases of a job', () => {
  it('end for good', () => expect(ENDED).toEqual(['SUCCEEDED', 'FAILED', 'CANCELLED', 'TIMED_OUT']));

  it('are waited for, held, or over', () => {
    for (const phase of [...QUEUED, ...LEASABLE, ...TIMED]) expect(ENDED).not.toContain(phase);
    expect(QUEUED.filter((phase) => LEASABLE.includes(phase))).toEqual([]);
    expect(LEASABLE).toEqual(expect.arrayContaining([...BUSY]));
  });

  it.each([
    ['SUCCEEDED', ['RUNNING', 'WAITING_INPUT']],
    ['FAILED', ['RUNNING', 'WAITING_INPUT']],
    ['TIMED_OUT', ['RUNNING', 'WAITING_INPUT']],
    ['CANCELLED', ['RUNNING', 'CANCELLING', 'WAITING_INPUT']],
    ['WAITING_INPUT', ['RUNNING', 'WAITING_INPUT']],
    ['RETRYING', ['RUNNING']],
  ] as const)('its worker brings to %s what is %j', (to, from) => expect(leasableBefore(to)).toEqual(from));

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
