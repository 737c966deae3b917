import { isJsonType, isMediaType } from './media-type';

describe('a Content-Type', () => {
  test.each(['application/json', 'Application/JSON; charset=utf-8', 'text/csv;header=present', ' text/plain ', 'a/b;'])(
    '%p names a media type',
    (text) => {
      expect(isMediaType(text)).toBe(true);
    },
  );

  test.each([
    '',
    'json',
    'text',
    '/',
    'a/b/c',
    'application/',
    '/json',
    'application/json, text/plain',
    'application /json',
    'application/j\u00e9son',
    'json; charset=utf-8',
    'undefined',
  ])('%p names none', (text) => {
    expect(isMediaType(text)).toBe(false);
  });

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
