/** Services that others hand their work over to while they stop: turns go back to the session service. */
const HANDED_OVER_TO = /^session(-|$)/;

/** A host is named after its services: `session+agent`. */
const isHandedOverTo = (name: string): boolean => name.split('+').some((service) => HANDED_OVER_TO.test(service));

/** Groups of processes, or of services: each is stopped when the one before has ended. */
export function stopOrder(names: readonly string[], servers: ReadonlySet<string>): string[][] {
  const rank = (name: string): number => (servers.has(name) ? 2 : isHandedOverTo(name) ? 1 : 0);
  return [0, 1, 2]
    .map((position) => names.filter((name) => rank(name) === position))
    .filter(({ length }) => length > 0);
}

/** Tells a host to stop its services, except those that others hand their work over to. They end at SIGTERM. */
export const STOP_ALL_BUT_LAST = 'SIGUSR2';

/** Whether the process is a host that is stopped in two steps. */
export const stopsInSteps = (name: string): boolean => name.includes('+') && isHandedOverTo(name);
