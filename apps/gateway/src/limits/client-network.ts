import * as ipaddr from 'ipaddr.js';

/**
 * What a client is counted by: its IPv4 address, however it is written, or the /64 of its IPv6 address. One client has
 * a whole /64 to choose addresses from. What is no address is returned as it is.
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
