import { hostsOf } from '../../host/hosts';
import { SERVICES } from '../service-names';
import { hostMemoryLimitMi, serviceOfLine } from './host-process';
import { sizeOf } from './service-size';

it('puts each service into one host', () => {
  const hosts = hostsOf(SERVICES);
  expect(hosts.flatMap(({ services }) => services).sort()).toEqual([...SERVICES].sort());
  expect(hosts.map(({ name }) => name)).toEqual([
    'gateway+relay',
    'session+agent',
    'event-bus+task',
    'key+job+dataset',
  ]);
});

it('starts no host for services that are not started', () => {
  expect(hostsOf(['gateway', 'key', 'job'])).toEqual([
    { name: 'gateway', services: ['gateway'] },
    { name: 'key+job', services: ['key', 'job'] },
  ]);
});

it('lets a host use the memory of all of its services', () => {
  const [host] = hostsOf(['gateway', 'relay']);
  if (!host) throw new Error('no host');
  expect(hostMemoryLimitMi(host)).toBe(sizeOf('gateway').memoryLimitMi + sizeOf('relay').memoryLimitMi);
});

it('finds the service that wrote a line', () => {
  const host = { name: 'session+agent', services: ['session', 'agent'] as const };
  const lineOf = (service: string): string =>
    JSON.stringify({ level: 30, time: '2026-01-01T00:00:00.000Z', service, msg: '"service":"session"' });
  expect(serviceOfLine(host, lineOf('agent'))).toBe('agent');
  expect(serviceOfLine(host, lineOf('session+agent'))).toBe('session');
  expect(serviceOfLine(host, '    at a line of a stack')).toBe('session');
});
