/** The entries of a text with one host a line. */
export const hostsIn = (text: string): string[] => text.split(/[\s,]+/).filter((host) => host !== '');

/** Whether the secret may be sent to hosts that it could not be sent to before: the API then refuses it without its value. */
export function isWidened(before: readonly string[], hosts: readonly string[]): boolean {
  if (before.length === 0) return false;
  return hosts.length === 0 || hosts.some((host) => !before.some((entry) => covers(entry, host.toLowerCase())));
}

/** Without a port, an entry means all of them. */
function covers(entry: string, host: string): boolean {
  const name = PORT.test(entry) ? host : host.replace(PORT, '');
  return entry === name || (entry.startsWith('*.') && name.endsWith(entry.slice(1)));
}

const PORT = /(?<=^[^:]*|\]):\d+$/;
