import { clientNetwork } from './client-network';

describe('what a client is counted by', () => {
  it.each([
    ['an IPv4 address', '203.0.113.7', '203.0.113.7'],
    ['an IPv4 address in the form of IPv6', '::ffff:203.0.113.7', '203.0.113.7'],
    ['the same in hexadecimal', '::FFFF:cb00:7107', '203.0.113.7'],
    ['an IPv6 address', '2001:db8:0:1:aaaa::1', '2001:db8:0:1::/64'],
    ['another one of its /64', '2001:0DB8::1:bbbb:0:0:2', '2001:db8:0:1::/64'],
    ['a neighbouring /64', '2001:db8:0:2:aaaa::1', '2001:db8:0:2::/64'],
    ['an address with a zone', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['nothing', '', ''],
    ['no address', 'a:b', 'a:b'],
  ])('is, for %s, the same for all that one client can have', (_what, address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });
});
