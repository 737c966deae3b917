import { checkSecretCount, checkSecretValues } from './secret-limits';
import { SecretMask } from './secret-mask';

const SECRET = 'p@ss wörd/"x"+\\é\n!(1)';
const mask = new SecretMask([SECRET]);

describe('the mask of a secret', () => {
  const json = JSON.stringify(SECRET).slice(1, -1);
  const echoes: [string, string][] = [
    ['itself', SECRET],
    ['URL-encoded', encodeURIComponent(SECRET)],
    ['URL-encoded in lower case', encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase())],
    [
      'URL-encoded as RFC 3986 says',
      encodeURIComponent(SECRET).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`.toUpperCase()),
    ],
    ['form-encoded', new URLSearchParams({ a: SECRET }).toString().slice(2)],
    ['in an address', new URL(`http://x/?a=${encodeURIComponent(SECRET)}`).href],
    ['encoded twice', encodeURIComponent(encodeURIComponent(SECRET))],
    ['JSON-escaped', json],
    ['JSON in JSON', JSON.stringify(json)],
    ['JSON in ASCII', json.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)],
    ['JSON with escaped slashes', json.replaceAll('/', '\\/')],
    ['base64', Buffer.from(SECRET).toString('base64')],
    ['base64 for URLs', Buffer.from(SECRET).toString('base64url')],
    ['URL-encoded base64', encodeURIComponent(Buffer.from(SECRET).toString('base64'))],
    ...['', 'u', 'us', 'user:', 'longer user:'].map((user): [string, string] => [
      `base64 behind "${user}"`,
      Buffer.from(`${user}${SECRET}`).toString('base64'),
    ]),
    ['base64 with more behind it', Buffer.from(`a${SECRET}zz`).toString('base64')],
  ];

  it.each(echoes)('takes it out %s', (_, echo) => {
    const masked = mask.text(`before ${echo} after`);
    expect(masked).toMatch(/^before .*\*\*\*.* after$/s);
    for (const form of [SECRET, encodeURIComponent(SECRET), Buffer.from(SECRET).toString('base64').slice(6, -6)])
      expect(masked).not.toContain(form);
  });

  it('goes through JSON, keys and numbers included, and leaves the rest alone', async () => {
    const numbers = new SecretMask(['4711', 'key']);
    expect(await numbers.json({ a: [47110, 5, true, null], key: { deep: 'the key' } })).toEqual({
      a: ['***', 5, true, null],
      '***': { deep: 'the ***' },
    });
    const untouched = { a: 'nothing here', b: 1.5 };
    expect(await mask.json(untouched)).toEqual(untouched);
  });

  it('finds numbers as they were written, also where reading them rounds', async () => {
    const numbers = new SecretMask(['12345678901234567890', '1.10', '1e400']);
    const json = '{"a":12345678901234567890,"b":[1.1,-1.10],"c":1e400,"d":7,"12":"1"}';
    const read = { a: '***', b: ['***', '***'], c: '***', d: 7, '12': '1' };
    expect(await numbers.json(JSON.parse(json))).toEqual(read);
    const longer = '{"a":9912345678901234567890.5,"b":"12345678901234567890 \\" 1.10","c":2}';
    expect(numbers.numbersOf(longer)).toBe('{"a":"***","b":"12345678901234567890 \\" 1.10","c":2}');
    expect(await numbers.json(JSON.parse(numbers.numbersOf(longer)))).toEqual({ a: '***', b: '*** " ***', c: 2 });
    expect(numbers.numbersOf('not "json')).toBe('not "json');
    expect(mask.numbersOf('{"a":1}')).toBe('{"a":1}');
  });

  it('replaces the longer one of two secrets that share a beginning', () => {
    expect(new SecretMask(['abc', 'abcdef']).text('abcdef abc')).toBe('*** ***');
  });

  it('does not read dollar signs of a secret as a pattern', () => {
    expect(new SecretMask(['$&$1']).text('a $&$1 b')).toBe('a *** b');
  });

  it('masks a secret of one character and leaves no base64 part of it behind', () => {
    expect(new SecretMask(['x']).text('x marks eA== the spot')).toBe('*** marks *** the spot');
  });

  it('leaves nothing of secrets that overlap, and finds one that stands across two slices', async () => {
    expect(new SecretMask(['abc', 'bcdef']).text('abcdef.')).toBe('***.');
    const long = 'x'.repeat(256 * 1024 - 10);
    const value = 'a secret of more than eight';
    expect(await new SecretMask([value]).json(`${long}${value}${long}`)).toBe(`${long}***${long}`);
  });

  it('takes all secrets that may be used together out of a large answer, with turns for others', async () => {
    const values = Array.from({ length: 20 }, (_, i) => `${i}/ä"`.repeat(600));
    let turns = 0;
    const count = (): void => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const rows = Array.from({ length: 30 }, (_, i) => ({
      [`key ${i}`]: 'text '.repeat(20_000) + (values[i % 20] ?? ''),
    }));
    const masked = (await new SecretMask(values).json(rows)) as Record<string, string>[];
    clearImmediate(next);
    expect(masked.map((row, i) => row[`key ${i}`]?.slice(-8))).toEqual(rows.map(() => 'text ***'));
    expect(turns).toBeGreaterThan(5);
  });

  it('builds its forms when there is something to search', () => {
    const spy = jest.spyOn(Buffer, 'from');
    new SecretMask([SECRET]);
    expect(spy).not.toHaveBeenCalled();
    spy.mockRestore();
  });
});

describe('the bounds of secrets that are used together', () => {
  it('are 20 secrets and 64 KiB of values', () => {
    const names = Array.from({ length: 21 }, (_, i) => `N${i}`);
    expect(() => {
      checkSecretCount(names.slice(1));
      checkSecretValues(Array.from({ length: 8 }, () => 'x'.repeat(8192)));
    }).not.toThrow();
    expect(() => {
      checkSecretCount(names);
    }).toThrow('At most 20 secrets');
    expect(() => {
      checkSecretValues(['é'.repeat(32 * 1024), 'x']);
    }).toThrow('at most 65536 bytes');
  });
});
