import { FillMeter, fillText } from './fill-text';

const PLACE = /<(\w+)>/g;
const meterOf = (bytes: number, places?: number): FillMeter =>
  new FillMeter({ bytes, ...(places === undefined ? {} : { places }) }, (over) => new Error(`over its ${over}`));

describe('values in a text', () => {
  it('replaces placeholders once, and leaves those without a value', () => {
    const values = new Map([['a', '<b>']]);
    expect(fillText('1 <a> 2 <b> 3', PLACE, (name) => values.get(name), meterOf(100))).toBe('1 <b> 2 <b> 3');
    expect(fillText('nothing', PLACE, () => '', meterOf(7))).toBe('nothing');
  });

  it('make no text over its bytes, and none is made to find that out', () => {
    let asked = 0;
    const value = (): string => {
      asked += 1;
      return 'é'.repeat(500);
    };
    expect(fillText('<a>'.repeat(10), PLACE, value, meterOf(10_000))).toHaveLength(5000);
    expect(() => fillText('<a>'.repeat(40_000), PLACE, value, meterOf(10_000))).toThrow('over its bytes');
    expect(asked).toBeLessThan(25);
    expect(() => fillText('<a>é', PLACE, () => '', meterOf(1))).toThrow('over its bytes');
  });

  it('limits the number of placeholders, with one meter for several texts', () => {
    const meter = meterOf(100, 3);
    expect(fillText('<a><a>', PLACE, () => 'x', meter)).toBe('xx');
    expect(() => fillText('<a><a>', PLACE, () => 'x', meter)).toThrow('over its places');
    const other = meterOf(10);
    fillText('12345', PLACE, () => '', other);
    expect(() => fillText('123456', PLACE, () => '', other)).toThrow('over its bytes');
  });
});
