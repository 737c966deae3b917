import { ValueCounter, countValues, valuesIn } from './count-json-values';

describe('the values of a JSON text', () => {
  it.each([
    ['1', 1],
    ['[1,2,3]', 4],
    ['{"a":{"b":[1]},"c":"x"}', 5],
    ['"a,b,[{"', 1],
    ['["a\\",\\"b", 2]', 3],
  ])('of %s are counted without those of its strings', (text, count) => {
    expect(countValues(text, 100)).toBe(count);
  });

  it('are counted up to the given limit', () => expect(countValues('[1,2,3,4,5]', 3)).toBe(4));
});

describe('the values of parsed JSON', () => {
  it.each([
    [1, 1],
    [null, 1],
    [[1, 2, 3], 4],
    [{ a: { b: [1] }, c: 'x' }, 5],
    [[{}, {}], 3],
  ])('%j', (value, count) => {
    expect(valuesIn(value, 100)).toBe(count);
  });

  it('are counted up to about the given limit', () => {
    const many = Array.from({ length: 1000 }, () => [1]);
    expect(valuesIn(many, 10)).toBeGreaterThan(10);
    expect(valuesIn(many, 10)).toBeLessThan(2000);
  });
});

describe('the values of JSON that comes in pieces', () => {
  const counted = (...pieces: string[]): number => {
    const counter = new ValueCounter();
    return pieces.reduce((sum, piece) => sum + counter.count(Buffer.from(piece)), 0);
  };
  it.each([
    ['[1,2]', 2],
    ['{"a,b":"[{\\",["}', 1],
    ['data: {"a":[1,2]}\n\ndata: []\n\n', 4],
  ])('%s', (text, count) => {
    expect(counted(text)).toBe(count);
    expect(counted(...text)).toBe(count);
  });

  it('are seen behind a stray quote in another line', () => {
    expect(counted(': "\ndata: [1,2]\n')).toBe(2);
    expect(counted(': "\rdata: [1,2]\r')).toBe(2);
  });
});
