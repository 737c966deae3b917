import { endedCookies, findToken, getToken, sessionCookies } from './session-cookie';

type Request = Parameters<typeof findToken>[0];

const request = (cookie?: string, origin = 'http://localhost:3000', protocol: 'http' | 'https' = 'http'): Request => ({
  headers: { origin, ...(cookie === undefined ? {} : { cookie }) },
  protocol,
});
const overTls = (cookie?: string): Request => request(cookie, 'https://console.example');

describe('the cookie of the console', () => {
  it('is out of reach of scripts, other sites, other paths and plain HTTP', () => {
    for (const cookie of [...sessionCookies(request(), 'abc'), ...endedCookies(request())])
      expect(cookie).toMatch(
        /^__Secure-switchyard_console=\w*; Path=\/console\/session; HttpOnly; SameSite=Strict; Secure; Max-Age=\d+$/,
      );
  });

  it.each([
    ['the page came over TLS', overTls()],
    ['the request did', request(undefined, undefined, 'https')],
  ])('belongs to its host alone where %s', (_, request) => {
    const [cookie, ...others] = sessionCookies(request, 'abc');
    expect(cookie).toMatch(/^__Host-switchyard_console=abc; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=\d+$/);
    expect(others).toEqual([]);
  });

  it('has no effect over TLS under the name of plain HTTP, which a neighbouring host can plant, and is taken away', () => {
    const request = overTls('__Secure-switchyard_console=planted');
    expect(findToken(request)).toBeNull();
    expect(sessionCookies(request, 'abc')[0]).toMatch(/^__Secure-switchyard_console=; .*Max-Age=0$/);
    expect(findToken(overTls('__Secure-switchyard_console=planted; __Host-switchyard_console=abc'))).toBe('abc');
  });

  it('is ended under both names over TLS', () => {
    expect(endedCookies(overTls()).map((cookie) => cookie.split('=', 1)[0])).toEqual([
      '__Secure-switchyard_console',
      '__Host-switchyard_console',
    ]);
  });

  it.each([
    ['alone', '__Secure-switchyard_console=abc_-1'],
    ['among others', 'a=b; __Secure-switchyard_console=abc_-1; c=d'],
  ])('is found %s', (_, cookie) => {
    expect(findToken(request(cookie))).toBe('abc_-1');
    expect(findToken(overTls(cookie.replace('__Secure-', '__Host-')))).toBe('abc_-1');
  });

  it.each([
    ['there is no cookie', undefined],
    ['it is empty', '__Secure-switchyard_console='],
    ['another name ends with its name', 'x___Secure-switchyard_console=abc'],
    ['it is there twice', '__Secure-switchyard_console=abc; __Secure-switchyard_console=def'],
    ['its value is no token', '__Secure-switchyard_console="abc"'],
    ['its value is too long', `__Secure-switchyard_console=${'a'.repeat(129)}`],
  ])('counts as missing where %s', (_, cookie) => {
    for (const requested of [request(cookie), overTls(cookie?.replaceAll('__Secure-', '__Host-'))]) {
      expect(findToken(requested)).toBeNull();
      expect(() => getToken(requested)).toThrow(expect.objectContaining({ code: 'UNAUTHORIZED' }));
    }
  });
});
