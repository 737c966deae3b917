import { hasRepeatedHeader } from './repeated-header';

const request = (...pairs: [string, string][]): Parameters<typeof hasRepeatedHeader>[0] => ({
  rawHeaders: pairs.flat(),
  headers: Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value])),
});

describe('a repeated header', () => {
  it.each([
    ['none', [], false],
    [
      'each once',
      [
        ['Host', 'a'],
        ['Authorization', 'b'],
      ],
      false,
    ],
    [
      'one that may be repeated',
      [
        ['Accept', 'a'],
        ['accept', 'b'],
      ],
      false,
    ],
    [
      'two credentials',
      [
        ['Authorization', 'a'],
        ['authorization', 'b'],
      ],
      true,
    ],
    [
      'two lengths among others',
      [
        ['Accept', 'a'],
        ['Content-Length', '1'],
        ['content-length', '2'],
      ],
      true,
    ],
  ] as [string, [string, string][], boolean][])('is found: %s', (_, pairs, expected) => {
    expect(hasRepeatedHeader(request(...pairs))).toBe(expected);
  });
});
