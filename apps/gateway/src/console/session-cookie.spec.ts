import { endedCookie, findToken, getToken, sessionCookie } from './session-cookie';

const request = (cookie?: string): { headers: { cookie?: string } } => ({
  headers: cookie === undefined ? {} : { cookie },
});

describe('the cookie of the console', () => {
  it('is out of reach of scripts, other sites, other paths and plain HTTP', () => {
    for (const cookie of [sessionCookie('abc'), endedCookie])
      expect(cookie).toMatch(/; Path=\/console\/session; HttpOnly; SameSite=Strict; Secure; Max-Age=\d+$/);
  });

  it.each([
    ['alone', '__Secure-switchyard_console=abc_-1'],
    ['among others', 'a=b; __Secure-switchyard_console=abc_-1; c=d'],
  ])('is found %s', (_, cookie) => {
    expect(findToken(request(cookie))).toBe('abc_-1');
  });

  it.each([
    ['there is no cookie', undefined],
    ['it is empty', '__Secure-switchyard_console='],
    ['another name ends with its name', 'x___Secure-switchyard_console=abc'],
    ['it is there twice', '__Secure-switchyard_console=abc; __Secure-switchyard_console=def'],
    ['its value is no token', '__Secure-switchyard_console="abc"'],
    ['its value is too long', `__Secure-switchyard_console=${'a'.repeat(129)}`],
  ])('counts as missing where %s', (_, cookie) => {
    expect(findToken(request(cookie))).toBeNull();
    expect(() => getToken(request(cookie))).toThrow(expect.objectContaining({ code: 'UNAUTHORIZED' }));
  });
});
