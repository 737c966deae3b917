import fc from 'fast-check';
import { setTopLevel, topLevelKeys } from './edit-json-text';

describe('top-level keys', () => {
  it('are found with their values, with any text in between', () => {
    const text = ' { "a" : "x\\"},{\\\\" ,"b":[{"a":1}, "]"],\n"c":-1.50e3 , "d":null}';
    expect(topLevelKeys(text).map(({ key, start, end }) => [key, text.slice(start, end)])).toEqual([
      ['a', '"x\\"},{\\\\"'],
      ['b', '[{"a":1}, "]"]'],
      ['c', '-1.50e3'],
      ['d', 'null'],
    ]);
  });

  it('refuse a key that stands twice, escaped or not', () => {
    expect(() => topLevelKeys('{"model":"a","mod\\u0065l":"b"}')).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR' }),
    );
  });

  it('agree with JSON.parse on any object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(3), (object, indent) => {
        const text = JSON.stringify(object, null, indent);
        const spans = topLevelKeys(text);
        const read = Object.fromEntries(
          spans.map(({ key, start, end }) => [key, JSON.parse(text.slice(start, end)) as unknown]),
        );
        expect(JSON.stringify(read)).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });
});

describe('changed bodies', () => {
  const change = (text: string, values: Record<string, unknown>): string =>
    setTopLevel(text, topLevelKeys(text), values);

  it('keep every byte that need not change', () => {
    expect(change('{"model": "a", "seed":12345678901234567890, "x":1.0}', { model: 'b' })).toBe(
      '{"model": "b", "seed":12345678901234567890, "x":1.0}',
    );
  });

  it('take several changes, and keys that were not there', () => {
    expect(change('{"model":"a","stream":true}', { model: 'longer', stream: 1, n: 2 })).toBe(
      '{"n":2,"model":"longer","stream":1}',
    );
    expect(change('{}', { n: 2 })).toBe('{"n":2}');
  });
});
