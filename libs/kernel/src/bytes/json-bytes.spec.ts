import { jsonBytes } from './json-bytes';

describe('the size of a value as JSON', () => {
  it.each([
    null,
    true,
    false,
    0,
    -1.5e-7,
    1e21,
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
