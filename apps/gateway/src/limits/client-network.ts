import * as ipaddr from 'ipaddr.js';

/**
 * The network that identifies a client: its IPv4 address in any notation, or the /64 of its IPv6 address, as one client
 * owns a whole /64. Other values are returned unchanged.
 */
export function clientNetwork(address: string): string {
  if (!address.includes(':')) return address;
  const bare = address.replace(/%.*$/, '');
  if (!ipaddr.IPv6.isValid(bare)) return address;
  const parsed = ipaddr.IPv6.parse(bare);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
