/// <reference types="jest" />
import { SPACE_ACTIONS, actionWords } from './security-words';

it('an event reads as words, an unknown one too, and no two events of the filter read the same', () => {
  expect(actionWords('key.created')).toBe('Key created');
  expect(actionWords('sign-in.reused')).toBe('Sign-in ended: its cookie was used twice');
  expect(actionWords('dead-letter.retried')).toBe('Dead letter retried');
  const words = SPACE_ACTIONS.map(actionWords);
  expect(new Set(words).size).toBe(words.length);
  expect(words.filter((text) => /[._]/u.test(text))).toEqual([]);
});
