import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** The successor of a used refresh token: enough to repeat the response. */
export interface Successor {
  refreshToken: string;
  accessToken: string;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The token is 256 random bits: it is the secret, and the row that holds the sealed text knows only a digest of it. */
const keyOf = (spentToken: string): Buffer =>
  Buffer.from(hkdfSync('sha256', spentToken, '', 'switchyard refresh successor', 32));

export function sealSuccessor(spentToken: string, successor: Successor): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(spentToken), iv);
  return Buffer.concat([iv, cipher.update(JSON.stringify(successor)), cipher.final(), cipher.getAuthTag()]);
}

/** Throws when the token is another one, or the text was changed. */
export function openSuccessor(spentToken: string, sealed: Buffer): Successor {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(spentToken), sealed.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const text = Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
  return JSON.parse(text.toString('utf8')) as Successor;
}
