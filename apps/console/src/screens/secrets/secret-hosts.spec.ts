import { hostsIn, isWidened } from './secret-hosts';

const BEFORE = ['api.example', '*.b.example', 'c.example:8443'];

test.each([
  ['api.example', false],
  ['API.example\n*.b.example', false],
  ['x.b.example, c.example:8443', false],
  ['*.x.b.example', false],
  ['api.example:8443 x.b.example:80', false],
  ['[::1]:80', true],
  ['', true],
  ['api.example other.example', true],
  ['*.api.example', true],
  ['b.example', true],
  ['c.example', true],
  ['c.example:80', true],
])('%j may reach more hosts than before: %s', (text, isWider) => {
  expect(isWidened(BEFORE, hostsIn(text))).toBe(isWider);
});

test('a secret that may be sent anywhere cannot be widened', () => {
  expect(isWidened([], hostsIn('api.example'))).toBe(false);
});
