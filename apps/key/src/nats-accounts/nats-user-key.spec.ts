import { isNatsAccountId } from '@switchyard/contracts';
import { createAccount, createUser, fromSeed } from 'nkeys.js';
import { checkNatsUserKey, makeNatsAccountId, makeNatsUserKey } from './nats-user-key';

describe('the key of a NATS user', () => {
  it('is the public key of its seed', () => {
    const { publicKey, seed = '' } = makeNatsUserKey();
    expect(seed).toMatch(/^SU[A-Z2-7]{56}$/);
    expect(fromSeed(Buffer.from(seed)).getPublicKey()).toBe(publicKey);
    expect(() => {
      checkNatsUserKey(publicKey);
    }).not.toThrow();
  });

  it.each([
    [
      'a wrong checksum',
      createUser()
        .getPublicKey()
        .replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    ],
    ['another type', createAccount().getPublicKey()],
    ['another length', createUser().getPublicKey().slice(0, -1)],
    ['no letters', ''],
  ])('is refused with %s', (_what, publicKey) => {
    expect(() => {
      checkNatsUserKey(publicKey);
    }).toThrow('must be the public key of an nkey of the type user');
  });

  it('belongs to an account with a random id', () => {
    const ids = Array.from({ length: 1000 }, makeNatsAccountId);
    expect(ids.every(isNatsAccountId)).toBe(true);
    expect(new Set(ids).size).toBe(1000);
  });
});
