import { readCell } from './csv-cell';
import { countValues } from './count-values';
import { layoutOf } from './layout';

const json = layoutOf('00000000-0000-7000-8000-000000000000', 1, { fields: [{ name: 'a', type: 'json', column: 1 }] })
  .columns[0]!;

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

  it('are too many for a cell before the cell is parsed', () => {
    const many = `[${'{},'.repeat(300_000)}{}]`;
    const parse = jest.spyOn(JSON, 'parse');
    expect(() => readCell(json, many)).toThrow('must not hold more than 200000 values');
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
    expect(readCell(json, '[1,{"a":2}]')).toEqual([1, { a: 2 }]);
  });
});
