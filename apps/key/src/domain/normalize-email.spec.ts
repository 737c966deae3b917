import { nameFromEmail, normalEmail } from './normalize-email';

describe('an e-mail address', () => {
  it.each([
    ['  Ada@Example.COM ', 'ada@example.com'],
    ['ada@example.com', 'ada@example.com'],
    ['J\u030Coe@x.test', '\u01F0oe@x.test'],
    ['T\u0308@x.test', '\u1E97@x.test'],
  ])('%p is kept as %p', (given, stored) => {
    expect(normalEmail(given)).toBe(stored);
    expect(normalEmail(stored)).toBe(stored);
  });

  it('gives a first name for the account', () => {
    expect(nameFromEmail('ada.lovelace@example.com')).toBe('ada.lovelace');
  });
});
