import { checkJson } from './json';

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
