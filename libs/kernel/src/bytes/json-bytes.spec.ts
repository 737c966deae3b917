import { jsonBytes } from './json-bytes';

describe('the size of a value as JSON', () => {
  it.each([
    null,
    true,
    false,
    0,
    -1.5e-6,
    123456789012345680000,
    Number.NaN,
    '',
    'plain',
    'quote " backslash \\ newline \n bell \u0007',
    'ünïcode 漢字 😀',
    'lone \ud800 surrogate',
    [],
    [1, 'a', null, [true]],
    [undefined, 1],
    {},
    { a: 1, 'k"': { nested: ['x', { y: false }] }, gone: undefined },
    { at: new Date(0) },
  ])('is that of its text: %j', (value) => {
    expect(jsonBytes(value)).toBe(Buffer.byteLength(JSON.stringify(value)));
  });

  it.each([
    [1e21, '1000000000000000000000'],
    [-1.5e-7, '-0.00000015'],
    [1.5e308, `15${'0'.repeat(307)}`],
    [5e-324, `0.${'0'.repeat(323)}5`],
  ])('counts %s as it is written out', (value, written) => {
    const bytes = jsonBytes(value);
    expect(bytes).toBeGreaterThanOrEqual(written.length);
    expect(bytes).toBeLessThanOrEqual(written.length + 4);
  });

  it('stops counting over the limit', () => {
    const visited: number[] = [];
    const rows = Array.from({ length: 1000 }, (_, index) => ({
      toJSON: () => {
        visited.push(index);
        return 'x'.repeat(100);
      },
    }));
    expect(jsonBytes(rows, 2000)).toBeGreaterThan(2000);
    expect(visited.length).toBeLessThan(50);
  });
});
