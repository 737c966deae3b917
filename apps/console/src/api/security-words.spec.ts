/// <reference types="jest" />
import { PLATFORM_ACTIONS, actionOptions, actionWords } from './security-words';

it('an event reads as words, an unknown one too, and no two events of the filter read the same', () => {
  expect(actionWords('key.created')).toBe('Key created');
  expect(actionWords('sign-in.reused')).toBe('Sign-in ended: its cookie was used twice');
  expect(actionWords('invoice.sent-again')).toBe('Invoice sent again');
  const words = PLATFORM_ACTIONS.map(actionWords);
  expect(new Set(words).size).toBe(words.length);
  expect(words.filter((text) => /[._]/u.test(text))).toEqual([]);
});

it('the filter offers all events first, then each by its words, and keeps an unknown one of the URL', () => {
  const recorded = ['space.credited', 'access.denied'];
  const offered = ['', 'access.denied', 'space.credited'];
  expect(actionOptions(recorded, undefined).map(({ value }) => value)).toEqual(offered);
  expect(actionOptions(recorded, 'access.denied').map(({ value }) => value)).toEqual(offered);
  expect(actionOptions(recorded, 'b.new')).toContainEqual({ value: 'b.new', label: 'B new' });
});
