import type { ServiceName } from '../launcher/service-names';

/** Which services share a process: those that call each other most, so that their garbage is collected in one heap. */
const GROUPS: readonly (readonly ServiceName[])[] = [
  ['gateway', 'relay'],
  ['session', 'agent'],
  ['event-bus', 'task'],
  ['key', 'job', 'dataset'],
];

/** A process with several services. */
export interface Host {
  name: string;
  services: readonly [ServiceName, ...ServiceName[]];
}

/** The hosts of these services. A service whose group is not started has one to itself. */
export const hostsOf = (services: readonly ServiceName[]): Host[] =>
  GROUPS.flatMap((group) => {
    const [first, ...others] = group.filter((service) => services.includes(service));
    return first === undefined ? [] : [{ name: [first, ...others].join('+'), services: [first, ...others] as const }];
  });
