import { headerText } from './header-text';

const asSent = (text: string): string => Buffer.from(text).toString('latin1');

test.each(['plain', 'é', '注文', '😀'])('a header that was sent as UTF-8 is read as %s', (text) => {
  expect(headerText(asSent(text))).toBe(text);
});

test('a header of single bytes is read as they are', () => {
  expect(headerText('é')).toBe('é');
});
