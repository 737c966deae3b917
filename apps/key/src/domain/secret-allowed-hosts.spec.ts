import { normalHosts, widensHosts } from './secret-allowed-hosts';

describe('the hosts of a secret', () => {
  it('are kept in one spelling, each once', () => {
    expect(
      normalHosts([
        'API.Example.com',
        'api.example.com',
        '*.Example.com:8443',
        ' 10.0.0.1:80 ',
        '::1',
        '[2001:DB8::0:1]:9',
      ]),
    ).toEqual(['api.example.com', '*.example.com:8443', '10.0.0.1:80', '[::1]', '[2001:db8::1]:9']);
  });

  it.each([
    '',
    'https://example.com',
    'example.com/path',
    '*',
    '*.*.com',
    'a.*.com',
    'a b',
    'x:0',
    'x:70000',
    'x:y',
    '[x]',
    'user@example.com',
    '-a.com',
    '0x7f.1',
    '0177.0.0.1',
    '127.1:8080',
    '2130706433',
    '1.2.3.4.5',
    '*.127.0.0.1',
    '*.0x7f',
  ])('are not %j', (host) => {
    expect(() => normalHosts(['ok.example', host])).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });

  it('say how an address must be written that has another spelling', () => {
    expect(() => normalHosts(['0x7f.1'])).toThrow(/hosts\[0\].*127\.0\.0\.1/);
    expect(
      normalHosts(['127.0.0.1', '1e3.example', '3com.example', 'xn--bcher-kva.example', '_dns.example']),
    ).toHaveLength(5);
  });
});

describe('a change of the hosts of a secret', () => {
  it.each<[string[], string[]]>([
    [['a.example'], []],
    [['a.example'], ['*.a.example']],
    [['a.example'], ['a.example', 'b.example']],
    [['a.example:8443'], ['a.example']],
    [['a.example:8443'], ['a.example:443']],
    [['*.a.example'], ['a.example']],
    [['*.a.example'], ['*.example']],
    [['*.a.example'], ['b-a.example']],
    [['10.0.0.1'], ['10.0.0.2']],
    [['[::1]:80'], ['[::1]']],
  ])('from %j to %j widens them', (before, after) => {
    expect(widensHosts(before, after)).toBe(true);
  });

  it.each<[string[], string[]]>([
    [[], ['a.example']],
    [[], []],
    [['a.example', 'b.example'], ['b.example']],
    [['a.example'], ['a.example:8443']],
    [['*.a.example'], ['x.a.example', '*.y.a.example:80']],
    [['[::1]'], ['[::1]:80']],
  ])('from %j to %j does not', (before, after) => {
    expect(widensHosts(before, after)).toBe(false);
  });
});
