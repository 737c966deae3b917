import type { BenchRow, Measured } from './row';
import { labelled, processesOf, shapesOf } from './shape';

const row = (shapes?: BenchRow['shapes']): BenchRow => ({ name: 'chat', shapes, run: () => Promise.resolve([]) });
const pids = { postgres: 1, 'gateway+relay': 2, 'key+job': 3, gateway: 2, relay: 2, key: 3, job: 3, agent: null };

describe('the processes of services', () => {
  it('are counted once where services share them, by the name of their host', () => {
    expect(processesOf({ pids }, ['relay', 'postgres', 'gateway', 'agent'])).toEqual({
      'gateway+relay': 2,
      postgres: 1,
      agent: null,
    });
    expect(processesOf({ pids })).toEqual({ postgres: 1, 'gateway+relay': 2, 'key+job': 3, agent: null });
  });

  it('have the name of their service where each has its own', () => {
    expect(processesOf({ pids: { gateway: 4, relay: 5 } })).toEqual({ gateway: 4, relay: 5 });
  });
});

test('a row is measured as npm start has the processes if it names no shape, and SWITCHYARD_PROCESSES decides', () => {
  expect(shapesOf(row(), undefined)).toEqual(['hosts']);
  expect(shapesOf(row(['hosts', 'services']), '')).toEqual(['hosts', 'services']);
  expect(shapesOf(row(['hosts', 'services']), 'services')).toEqual(['services']);
  expect(() => shapesOf(row(), 'nine')).toThrow('must be hosts or services');
});

test('a row of another shape than the first one of its bench says so, and does not replace its figures', () => {
  const measured = { what: 'a turn' } as Measured;
  expect(labelled(measured, row(['hosts', 'services']), 'hosts').what).toBe('a turn');
  expect(labelled(measured, row(['hosts', 'services']), 'services').what).toBe('a turn (a process per service)');
  expect(labelled(measured, row(['services']), 'services').what).toBe('a turn');
  expect(labelled(measured, row(['services']), 'hosts').what).toBe('a turn (shared processes)');
});
