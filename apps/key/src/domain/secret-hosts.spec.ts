import { normalHosts } from './secret-hosts';

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
  ])('are not %j', (host) => {
    expect(() => normalHosts(['ok.example', host])).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });
});
