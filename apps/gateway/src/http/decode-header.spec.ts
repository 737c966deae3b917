import { decodeHeader } from './decode-header';

const asSent = (text: string): string => Buffer.from(text).toString('latin1');

test.each(['plain', 'é', '注文', '😀'])('a header that was sent as UTF-8 is read as %s', (text) => {
  expect(decodeHeader(asSent(text))).toBe(text);
});

test('a header of single bytes is read as they are', () => {
  expect(decodeHeader('é')).toBe('é');
});
