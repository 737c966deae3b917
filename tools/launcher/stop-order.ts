/** Services that others hand their work over to while they stop: turns go back to the session service. */
const HANDED_OVER_TO = /^session(-|$)/;

/** Groups of processes: each is stopped when the one before has ended. */
export function stopOrder(names: readonly string[], servers: ReadonlySet<string>): string[][] {
  const rank = (name: string): number => (servers.has(name) ? 2 : HANDED_OVER_TO.test(name) ? 1 : 0);
  return [0, 1, 2]
    .map((position) => names.filter((name) => rank(name) === position))
    .filter(({ length }) => length > 0);
}
