import { readPeppers } from './parse-peppers';

const secret = (fill: number): string => Buffer.alloc(32, fill).toString('base64');

describe('the list of peppers', () => {
  it('keeps its order, so a newer version that is not first is known and not yet used', () => {
    const peppers = readPeppers(`1:${secret(1)}, 2:${secret(2)}`);
    expect(peppers?.map(({ version, secret: bytes }) => [version, bytes[0]])).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it.each([
    ['nothing', ''],
    ['no version', secret(1)],
    ['a short secret', `1:${Buffer.alloc(31).toString('base64')}`],
    ['a version twice', `1:${secret(1)},1:${secret(2)}`],
    ['a hole', `1:${secret(1)},,2:${secret(2)}`],
  ])('is refused with %s', (_, text) => {
    expect(readPeppers(text)).toBeNull();
  });
});
