import { inspect } from 'node:util';
import { SecondPassword, secondPasswordOf } from './two-passwords';

test('the password that was accepted last is tried first', () => {
  let changes = 0;
  const second = new SecondPassword('second', () => (changes += 1));
  expect(second.inOrder('own')).toEqual(['own', 'second']);
  second.noteAccepted('own');
  expect([second.inOrder('own'), changes]).toEqual([['own', 'second'], 0]);
  // Several connections find out at the same time.
  second.noteAccepted('second');
  second.noteAccepted('second');
  expect([second.inOrder('own'), changes]).toEqual([['second', 'own'], 1]);
  second.noteAccepted('own');
  expect([second.inOrder('own'), changes]).toEqual([['own', 'second'], 2]);
});

test('an empty setting is none', () => {
  expect([secondPasswordOf(''), secondPasswordOf(undefined)]).toEqual([null, null]);
});

test('no text of the object contains the password', () => {
  const second = new SecondPassword('a password');
  expect(`${inspect(second, { showHidden: true })}${JSON.stringify(second)}`).not.toContain('a password');
});
