import { createUser } from 'nkeys.js';
import { scrub } from './logger';

describe('a text of a log', () => {
  it.each([
    ['an API key', 'a1'.repeat(20), '[key]'],
    ["a provider's key", 'sk-abcdefgh12345', '[key]'],
    ['an access token', 'eyJhbGciOi.eyJzdWIi.c2ln', '[jwt]'],
    ['the seed of a NATS user', new TextDecoder().decode(createUser().getSeed()), '[seed]'],
    ['the secret of an endpoint', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', '[secret]'],
    ['a file', 'data:text/plain;base64,SGVsbG8=', '[data uri]'],
  ])('does not show %s', (_, secret, mask) => {
    expect(scrub(`refused (${secret}) by the server`)).toBe(`refused (${mask}) by the server`);
  });

  it('does not show the password of an address', () => {
    expect(scrub('postgres://user:secret@db:5432/main')).toBe('postgres://[credentials]@db:5432/main');
  });

  it('shows the public key of a NATS user', () => {
    const publicKey = createUser().getPublicKey();
    expect(scrub(publicKey)).toBe(publicKey);
  });
});
