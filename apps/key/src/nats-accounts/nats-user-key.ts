import { randomBytes } from 'node:crypto';
import { invalid } from '@switchyard/kernel';
import { createUser, fromPublic } from 'nkeys.js';

export interface NatsUserKey {
  publicKey: string;
  /** Only of a key that the platform has made. */
  seed?: string;
}

export function makeNatsUserKey(): NatsUserKey {
  const pair = createUser();
  return { publicKey: pair.getPublicKey(), seed: Buffer.from(pair.getSeed()).toString('ascii') };
}

/** Refuses a public key with a wrong checksum, or of another type than a user's. */
export function checkNatsUserKey(publicKey: string): void {
  try {
    if (publicKey.startsWith('U')) {
      fromPublic(publicKey);
      return;
    }
  } catch {
    // Not an nkey.
  }
  throw invalid('publicKey', 'must be the public key of an nkey of the type user');
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const ID_LENGTH = 22;
/** Bytes from here on would make the first letters more likely. */
const USED_BYTES = 256 - (256 % LETTERS.length);

/** 131 bits: no two accounts ever have the same. */
export function makeNatsAccountId(): string {
  let id = '';
  while (id.length < ID_LENGTH)
    for (const byte of randomBytes(ID_LENGTH))
      if (byte < USED_BYTES && id.length < ID_LENGTH) id += LETTERS.charAt(byte % LETTERS.length);
  return id;
}
