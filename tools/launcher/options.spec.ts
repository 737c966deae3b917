import { sharesProcesses } from './options';

it('lets services share processes unless each is to have its own, and names a wrong value', () => {
  expect([undefined, 'services', 'hosts'].map((text) => sharesProcesses(text))).toEqual([true, false, true]);
  expect(() => sharesProcesses('two')).toThrow('SWITCHYARD_PROCESSES is two; it must be hosts or services.');
});
