import { isJsonType } from './json-content-type';

describe('a Content-Type', () => {
  test.each([
    'application/json',
    'Application/JSON',
    'application/json;',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=utf8',
    'application/json; charset=us-ascii',
    'application/json; foo=bar',
    'application/json; foo="a; b"; charset=utf-8',
  ])('%p is JSON', (text) => {
    expect(isJsonType(text)).toBe(true);
  });

  test.each([
    '',
    'text/plain',
    'text/plain; application/json',
    'application/jsonp',
    'application/json/x',
    'application/json, text/plain',
    'application/x-ndjson',
    'application/json; charset=utf-16',
    'application/json; foo=bar; charset=latin1',
  ])('%p is not', (text) => {
    expect(isJsonType(text)).toBe(false);
  });
});
