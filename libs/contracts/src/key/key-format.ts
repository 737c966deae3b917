const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 34;
const CHECK_LENGTH = 6;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** CRC-32 (IEEE 802.3) of ASCII text. */
export function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i += 1) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ text.charCodeAt(i)) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}

/** `value` in base62, most significant digit first, zero-padded to `length`. */
export function base62(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = (ALPHABET[rest % 62] ?? '') + text;
  return text;
}

const checkOf = (random: string): string => base62(crc32(random), CHECK_LENGTH);

const KEY = /^[0-9A-Za-z]{40}$/;

/** Whether the text has the form of an API key: 40 characters, the last six a checksum. */
export const isKeyShaped = (text: string): boolean =>
  KEY.test(text) && checkOf(text.slice(0, RANDOM_LENGTH)) === text.slice(RANDOM_LENGTH);

/**
 * A new key value. `randomBytes` must be cryptographically secure. Bytes from 248 on are discarded: 256 is no multiple
 * of 62, so the first eight characters would be more frequent.
 */
export function makeKeyValue(randomBytes: (size: number) => Uint8Array): string {
  let random = '';
  while (random.length < RANDOM_LENGTH) {
    for (const byte of randomBytes(2 * RANDOM_LENGTH)) {
      if (byte < 248 && random.length < RANDOM_LENGTH) random += ALPHABET[byte % 62] ?? '';
    }
  }
  return random + checkOf(random);
}
