import { JSON_LIMITS, JsonCheck, checkJson } from './json';

describe('JSON from outside', () => {
  it.each(['{"constructor":{"prototype":1}}', '{"a":[{"prototype":null}]}', '{"toString":1,"a":"\\ud83d\\ude00"}'])(
    'may be %s',
    (text) => {
      expect(() => checkJson(JSON.parse(text))).not.toThrow();
    },
  );

  it.each([
    ['{"__proto__":{"admin":true}}', ''],
    ['{"a":[{"__proto__":1}]}', 'a[0]'],
    ['{"a":"\\u0000"}', 'a'],
    ['{"a\\u0000":1}', ''],
    ['{"a":["\\ud800"]}', 'a[0]'],
    ['{"a":1e400}', 'a'],
  ])('must not be %s', (text, path) => {
    expect(() => checkJson(JSON.parse(text))).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', details: [expect.objectContaining({ path })] }),
    );
  });
});

describe('a large value', () => {
  it('is checked in pieces as it is in one go', () => {
    const bad = { rows: [{ ok: 1 }, { list: [1, { bad: '\u0000' }] }] };
    const check = new JsonCheck(bad);
    const walk = (): void => {
      while (!check.run(1));
    };
    expect(walk).toThrow(
      expect.objectContaining({ details: [expect.objectContaining({ path: 'rows[1].list[1].bad' })] }),
    );
    expect(new JsonCheck({ a: [1, 2, 3] }).run(2)).toBe(false);
  });

  it('is refused for its number of values before they are walked', () => {
    const check = new JsonCheck(Array.from({ length: 11 }), { ...JSON_LIMITS, nodes: 10 });
    expect(() => check.run(1)).toThrow('must not hold more than 10 values');
  });
});
