import { EgressPolicy } from './egress-policy';

const HOSTILE = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.0.1/',
  'http://0177.0.0.1/',
  'http://0x7f.0.0.1/',
  'http://0x7f000001/',
  'http://2130706433/',
  'http://017700000001/',
  'http://127.0.0.1./',
  'http://１２７.０.０.１/',
  'http://127。0。0。1/',
  'http://0.0.0.0/',
  'http://0/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.1.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://168.63.129.16/',
  'http://[::ffff:168.63.129.16]/',
  'http://100.64.0.1/',
  'http://192.0.0.1/',
  'http://198.18.0.1/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://240.0.0.1/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[64:ff9b:1::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  'http://[fe80::1]/',
  'http://[fc00::1]/',
  'http://[fd12:3456::1]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
  'http://[2001:db8::1]/',
  'http://localhost/',
  'http://LOCALHOST./',
  'http://a.localhost/',
  'http://metadata.google.internal/',
  'http://db.svc/',
  'http://kubernetes.default.svc.cluster.local/',
  'http://printer.local/',
  'http://intranet/',
  'http://user:secret@example.com/',
  'http://example.com@127.0.0.1/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'javascript:alert(1)',
  'data:text/plain,hi',
  '//example.com',
  '',
];

describe('where calls to addresses of users may go', () => {
  const policy = new EgressPolicy();

  it.each(HOSTILE)('refuses %s', (url) => {
    expect(() => policy.checkUrl(url)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });

  it.each([
    'https://example.com/',
    'http://8.8.8.8:80/x',
    'https://[2606:4700::1111]/',
    'https://xn--bcher-kva.example/',
  ])('lets %s pass', (url) => expect(policy.checkUrl(url)).toBeInstanceOf(URL));

  it.each([
    'http://8.8.8.8:8080/',
    'https://example.com:22/',
    'http://example.com:443000/',
    'http://[2606:4700::1111]:25/',
  ])('refuses the port of %s', (url) => {
    expect(() => policy.checkUrl(url)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });

  it('lets ports pass that the operator names, and says which', () => {
    const named = EgressPolicy.fromText('10.0.0.7:8080', '8443, 9000');
    expect(named.permits('8.8.8.8', 8443)).toBe(true);
    expect(named.permits('8.8.8.8', 9000)).toBe(true);
    expect(named.permits('8.8.8.8', 8080)).toBe(false);
    expect(named.permits('10.0.0.7', 8080)).toBe(true);
    expect(named.permits('10.0.0.7', 8443)).toBe(false);
    expect(() => named.checkUrl('http://8.8.8.8:8080/')).toThrow(/names the port 8080.*80, 443, 8443, 9000/);
  });

  it('reads a backslash as the end of the host, as the connection will', () => {
    expect(policy.checkUrl('http://example.com\\@127.0.0.1/').hostname).toBe('example.com');
  });

  it('lets exactly the listed private addresses pass', () => {
    const listed = EgressPolicy.fromText('127.0.0.1, 10.0.0.7:8080 [::1]:9000');
    expect(listed.permits('127.0.0.1', 1)).toBe(true);
    expect(listed.permits('::ffff:127.0.0.1', 1)).toBe(true);
    expect(listed.permits('127.0.0.2', 1)).toBe(false);
    expect(listed.permits('10.0.0.7', 8080)).toBe(true);
    expect(listed.permits('10.0.0.7', 80)).toBe(false);
    expect(listed.permits('::1', 9000)).toBe(true);
    expect(listed.permits('::1', 80)).toBe(false);
  });
});

describe('a host that is longer than names are', () => {
  const host = (labels: number): string => `${'a.'.repeat(labels)}com`;
  it.each([[], ['10.0.0.7']])('is refused, also where private addresses are allowed: %p', (...allow) => {
    const policy = new EgressPolicy(allow.filter((entry) => typeof entry === 'string'));
    expect(policy.checkUrl(`http://${host(125)}/`).hostname).toHaveLength(253);
    expect(() => policy.checkUrl(`http://${host(126)}/`)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', details: [{ path: 'url', message: expect.any(String) }] }),
    );
  });
});
