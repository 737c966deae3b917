import { hash } from 'node:crypto';

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const SCRATCH_BYTES = 8 * 1024;
/** Most UTF-8 bytes of one UTF-16 unit. */
const MAX_CHARACTER_BYTES = 3;

const inner = Buffer.allocUnsafe(SCRATCH_BYTES);
const outer = Buffer.allocUnsafe(BLOCK_BYTES + DIGEST_BYTES);

/** The inner and outer padded keys of HMAC-SHA256. */
export interface HmacKey {
  inner: Buffer;
  outer: Buffer;
}

const padded = (key: Buffer, pad: number): Buffer =>
  Buffer.from(Array.from({ length: BLOCK_BYTES }, (_, at) => (key[at] ?? 0) ^ pad));

export function hmacKeyOf(key: Buffer): HmacKey {
  if (key.byteLength > BLOCK_BYTES) throw new Error('a longer key would have to be hashed first');
  return { inner: padded(key, 0x36), outer: padded(key, 0x5c) };
}

/**
 * HMAC-SHA256 (RFC 2104) of a short message in two parts. Two one-shot hashes take a third of the time of `createHmac`,
 * which is made for streams.
 */
export function shortHmac(key: HmacKey, head: string, bytes: Uint8Array): Buffer {
  const capacity = BLOCK_BYTES + head.length * MAX_CHARACTER_BYTES + bytes.byteLength;
  const space = capacity <= SCRATCH_BYTES ? inner : Buffer.allocUnsafe(capacity);
  space.set(key.inner);
  const at = BLOCK_BYTES + space.write(head, BLOCK_BYTES);
  space.set(bytes, at);
  // Latin-1 text: making a Buffer of a digest costs as much as another hash.
  const digest = hash('sha256', space.subarray(0, at + bytes.byteLength), 'binary');
  outer.set(key.outer);
  outer.write(digest, BLOCK_BYTES, 'binary');
  return Buffer.from(hash('sha256', outer, 'binary'), 'binary');
}
