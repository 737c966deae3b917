import { isHostAllowed } from './allowed-hosts';

describe('the hosts that a secret may be sent to', () => {
  it.each<[string[], string]>([
    [[], 'https://anywhere.example/'],
    [['api.example.com'], 'https://API.example.com/x?y'],
    [['api.example.com'], 'https://api.example.com.:8443/'],
    [['*.example.com'], 'https://a.b.example.com/'],
    [['other.example', 'api.example.com:8443'], 'https://api.example.com:8443/'],
    [['api.example.com:443'], 'https://api.example.com/'],
    [['10.0.0.1:80'], 'http://10.0.0.1/'],
    [['[::1]:9000'], 'http://[::1]:9000/'],
    [['[2001:db8::1]'], 'http://[2001:DB8::0:1]/'],
  ])('%j lets %s pass', (hosts, address) => {
    expect(isHostAllowed(hosts, address)).toBe(true);
  });

  it.each<[string[], string]>([
    [['api.example.com'], 'https://api.example.com.evil.example/'],
    [['api.example.com'], 'https://evil.example/?api.example.com'],
    [['api.example.com'], 'https://api.example.com@evil.example/'],
    [['*.example.com'], 'https://example.com/'],
    [['*.example.com'], 'https://evilexample.com/'],
    [['api.example.com:443'], 'http://api.example.com/'],
    [['10.0.0.1'], 'http://10.0.0.10/'],
    [['api.example.com'], 'not an address'],
  ])('%j stops %s', (hosts, address) => {
    expect(isHostAllowed(hosts, address)).toBe(false);
  });
});
