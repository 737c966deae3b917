import { type UsableSchema, compileSchemaNow } from './compile-schema';
import { FORMATS } from './formats';

const fits = (format: string, text: unknown): boolean =>
  (compileSchemaNow({ format }, 'payload') as UsableSchema).check(text).length === 0;

describe('the formats of texts', () => {
  it.each<[string, string[], string[]]>([
    ['date', ['2024-02-29'], ['2023-02-29', '2024-2-1', 'today']],
    ['time', ['12:30:00Z', '23:59:60+00:00'], ['12:30', '25:00:00Z']],
    ['date-time', ['2026-11-27T23:00:00Z', '2026-11-27t23:00:00.5+01:00'], ['2026-11-27', '2026-13-01T00:00:00Z']],
    ['duration', ['P1DT2H', 'P3W'], ['P', '1D']],
    [
      'email',
      ['a.b+c@example.com', "o'hara@mail.example.org"],
      ['a@b', '@example.com', 'a b@example.com', 'a@-x.com', 'a'],
    ],
    ['hostname', ['example.com', 'localhost'], ['-a.com', 'a_b.com', '']],
    ['ipv4', ['127.0.0.1'], ['127.1', '256.0.0.1']],
    ['ipv6', ['::1', '2001:db8::ff00:42:8329'], ['12345::', '::1%eth0']],
    ['uuid', ['2eb8aa08-aa98-11ea-b4aa-73b441d16380'], ['2eb8aa08aa9811eab4aa73b441d16380']],
    [
      'uri',
      ['https://example.com/a?b#c', 'urn:isbn:0451450523', 'mailto:a@example.com', 'http://[::1]:8080/'],
      ['/relative', 'example.com', 'https://exa mple.com', ' https://example.com', 'https://a.b/\n', '//a'],
    ],
  ])('are %s as written in the standards', (format, good, bad) => {
    expect(good.filter((text) => !fits(format, text))).toEqual([]);
    expect(bad.filter((text) => fits(format, text))).toEqual([]);
    expect(fits(format, 5)).toBe(true);
  });

  it('hold a text to 2 KiB', () => {
    const check = (compileSchemaNow({ properties: { a: { format: 'uri' } } }, 'payload') as UsableSchema).check;
    expect(check({ a: `https://example.com/${'a'.repeat(2000)}` })).toEqual([]);
    const expected = [{ path: 'payload.a', message: 'must not be longer than 2048 bytes' }];
    expect(check({ a: `https://example.com/${'a'.repeat(2100)}` })).toEqual(expected);
    expect(check({ a: `https://example.com/${'é'.repeat(1100)}` })).toEqual(expected);
  });

  it('are those of the contract', () => {
    expect(Object.keys(FORMATS).sort().join(' ')).toBe(
      'date date-time duration email hostname ipv4 ipv6 time uri uuid',
    );
  });
});
