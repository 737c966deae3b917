/**
 * Whether a list of hosts lets a request to this address pass. An entry is a name, `*.example.com` (the names below it,
 * not itself) or an IP address, each with an optional port; an empty list lets everything pass.
 */
export function isHostAllowed(hosts: readonly string[], address: string): boolean {
  if (hosts.length === 0) return true;
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  const name = url.hostname.replace(/\.$/, '').toLowerCase();
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return hosts.some((entry) => {
    const [, host = entry, allowedPort] = /^(\[[^\]]+\]|[^:]*)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (allowedPort !== undefined && allowedPort !== port) return false;
    return host.startsWith('*.') ? name.endsWith(host.slice(1)) && name.length > host.length - 1 : name === host;
  });
}
