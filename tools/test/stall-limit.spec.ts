import { ServiceConfig, variablesOf } from '@switchyard/service';
import { USUAL_STALL_MS, limitFor } from './stall-limit';

describe('the processor time from which a stall counts in the tests', () => {
  it('is that of every service on a usual machine', () => {
    const declared = variablesOf(ServiceConfig).find(({ name }) => name === 'EVENT_LOOP_STALL_MS');
    expect(declared?.default).toBe(USUAL_STALL_MS);
  });

  it.each([
    [40, 200],
    [80, 200],
    [160, 400],
    [4_000, 800],
  ])('where the work takes %d ms is %d ms', (workMs, limitMs) => {
    expect(limitFor(workMs)).toBe(limitMs);
  });
});
