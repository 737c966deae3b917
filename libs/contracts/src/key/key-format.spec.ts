import { crc32 as zlibCrc32 } from 'node:zlib';
import { randomBytes } from 'node:crypto';
import { base62, crc32, isKeyShaped, makeKeyValue } from './key-format';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('the checksum of a key', () => {
  it.each([
    ['', 0],
    ['123456789', 0xcbf43926],
    ['The quick brown fox jumps over the lazy dog', 0x414fa339],
  ])('gives the published CRC-32 of %p', (text, expected) => {
    expect(crc32(text)).toBe(expected);
  });

  it('agrees with zlib', () => {
    for (let i = 0; i < 200; i += 1) {
      const text = randomBytes(24).toString('base64');
      expect(crc32(text)).toBe(zlibCrc32(text));
    }
  });

  it.each([
    [0, '000000'],
    [61, '00000z'],
    [62, '000010'],
    [0xffffffff, '4gfFC3'],
  ])('writes %p in base62 as %p', (value, expected) => {
    expect(base62(value, 6)).toBe(expected);
  });
});

describe('a key value', () => {
  it('is 40 of 0-9A-Za-z and passes its own check', () => {
    for (let i = 0; i < 200; i += 1) {
      const key = makeKeyValue(randomBytes);
      expect(key).toMatch(/^[0-9A-Za-z]{40}$/);
      expect(isKeyShaped(key)).toBe(true);
    }
  });

  it('fails the check when any single character is changed', () => {
    const key = makeKeyValue(randomBytes);
    for (let i = 0; i < 40; i += 1) {
      const other = key[i] === 'a' ? 'b' : 'a';
      expect(isKeyShaped(key.slice(0, i) + other + key.slice(i + 1))).toBe(false);
    }
  });

  it.each([
    ['39 characters', 'a'.repeat(39)],
    ['41 characters', 'a'.repeat(41)],
    ['a character outside the alphabet', `${'a'.repeat(39)}-`],
    ['a line end after it', `${makeKeyValue(randomBytes)}\n`],
    ['40 characters without a checksum', 'a'.repeat(40)],
  ])('is refused with %s', (_, text) => {
    expect(isKeyShaped(text)).toBe(false);
  });

  it('discards bytes that would favour the first characters', () => {
    const biased = (size: number): Uint8Array => Uint8Array.from({ length: size }, (_, i) => (i % 2 === 0 ? 255 : 61));
    expect(makeKeyValue(biased).slice(0, 34)).toBe('z'.repeat(34));
  });

  it('uses every character about equally often', () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 2000; i += 1) {
      for (const char of makeKeyValue(randomBytes).slice(0, 34)) counts.set(char, (counts.get(char) ?? 0) + 1);
    }
    const expected = (2000 * 34) / 62;
    // 68,000 draws: a spread of six standard deviations around the mean is about 18%. The bias of a plain
    // modulo would lift eight characters by a quarter.
    for (const char of ALPHABET) expect(Math.abs((counts.get(char) ?? 0) - expected) / expected).toBeLessThan(0.2);
  });
});
