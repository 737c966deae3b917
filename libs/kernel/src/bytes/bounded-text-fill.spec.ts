import { FillMeter, fillText } from './bounded-text-fill';

const PLACEHOLDER = /<(\w+)>/g;
const meterOf = (bytes: number, placeholders?: number): FillMeter =>
  new FillMeter(
    { bytes, ...(placeholders === undefined ? {} : { placeholders }) },
    (over) => new Error(`over its ${over}`),
  );

describe('values in a text', () => {
  it('replaces placeholders once, and leaves those without a value', () => {
    const values = new Map([['a', '<b>']]);
    expect(fillText('1 <a> 2 <b> 3', PLACEHOLDER, (name) => values.get(name), meterOf(100))).toBe('1 <b> 2 <b> 3');
    expect(fillText('nothing', PLACEHOLDER, () => '', meterOf(7))).toBe('nothing');
  });

  it('make no text over its bytes, and none is made to find that out', () => {
    let calls = 0;
    const value = (): string => {
      calls += 1;
      return 'é'.repeat(500);
    };
    expect(fillText('<a>'.repeat(10), PLACEHOLDER, value, meterOf(10_000))).toHaveLength(5000);
    expect(() => fillText('<a>'.repeat(40_000), PLACEHOLDER, value, meterOf(10_000))).toThrow('over its bytes');
    expect(calls).toBeLessThan(25);
    expect(() => fillText('<a>é', PLACEHOLDER, () => '', meterOf(1))).toThrow('over its bytes');
  });

  it('limits the number of placeholders, with one meter for several texts', () => {
    const meter = meterOf(100, 3);
    expect(fillText('<a><a>', PLACEHOLDER, () => 'x', meter)).toBe('xx');
    expect(() => fillText('<a><a>', PLACEHOLDER, () => 'x', meter)).toThrow('over its placeholders');
    const other = meterOf(10);
    fillText('12345', PLACEHOLDER, () => '', other);
    expect(() => fillText('123456', PLACEHOLDER, () => '', other)).toThrow('over its bytes');
  });
});
