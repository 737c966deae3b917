import { sharesProcesses } from './options';

it('gives each service a process unless hosts are requested, and names a wrong value', () => {
  expect([undefined, 'services', 'hosts'].map((text) => sharesProcesses(text))).toEqual([false, false, true]);
  expect(() => sharesProcesses('two')).toThrow('SWITCHYARD_PROCESSES is two; it must be hosts or services.');
});
