import * as ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

function parse(text: string): Address | null {
  const bare = text.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (!ipaddr.isValid(bare)) return null;
  const address = ipaddr.parse(bare);
  // ::ffff:10.0.0.1 is 10.0.0.1 in another dress.
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** One spelling per address, so that an allow-list can be compared as text. Null for what is no address. */
export const normalAddress = (text: string): string | null => parse(text)?.toNormalizedString() ?? null;

/** Answers machines in a cloud about themselves and their secrets, from an address that looks public. */
const PLATFORM_ADDRESSES = new Set(['168.63.129.16']);

/**
 * Whether an address belongs to the public internet. Only plain unicast does: private, loopback, link-local,
 * multicast, documentation and every tunnelled form (NAT64, 6to4, Teredo) that could hide a private one does not.
 */
export function isPublicAddress(text: string): boolean {
  const address = parse(text);
  if (address === null || address.range() !== 'unicast') return false;
  if (PLATFORM_ADDRESSES.has(address.toNormalizedString())) return false;
  // ipaddr.js counts these as unicast: the local-use NAT64 prefix, IPv4-compatible addresses, site-local addresses.
  if (address instanceof ipaddr.IPv6) {
    const [first = 0, second = 0] = address.parts;
    if (first === 0 || (first & 0xffc0) === 0xfec0) return false;
    return !(first === 0x64 && second === 0xff9b);
  }
  return true;
}
