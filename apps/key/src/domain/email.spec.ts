import { nameFromEmail, normalEmail } from './email';

describe('an e-mail address', () => {
  it.each([
    ['  Ada@Example.COM ', 'ada@example.com'],
    ['ada@example.com', 'ada@example.com'],
  ])('%p is kept as %p', (given, kept) => {
    expect(normalEmail(given)).toBe(kept);
  });

  it('gives a first name for the account', () => {
    expect(nameFromEmail('ada.lovelace@example.com')).toBe('ada.lovelace');
  });
});
