import { isMediaType } from './media-type';

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
});
