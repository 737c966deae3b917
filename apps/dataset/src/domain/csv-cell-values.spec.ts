import { readCell } from './parse-csv-cell';
import { layoutOf } from './table-layout';

const json = layoutOf('00000000-0000-7000-8000-000000000000', 1, { fields: [{ name: 'a', type: 'json', column: 1 }] })
  .columns[0]!;

describe('the values of a JSON cell', () => {
  it('are too many for a cell before the cell is parsed', () => {
    const many = `[${'{},'.repeat(300_000)}{}]`;
    const parse = jest.spyOn(JSON, 'parse');
    expect(() => readCell(json, many)).toThrow('must not hold more than 200000 values');
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
    expect(readCell(json, '[1,{"a":2}]')).toEqual([1, { a: 2 }]);
  });
});
