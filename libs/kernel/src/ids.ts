import { createHash, randomFillSync } from 'node:crypto';

const pool = Buffer.alloc(10 * 256);
let used = pool.length;
let lastMs = 0;
let sequence = 0;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const hex = (byte: number | undefined): string => HEX[byte ?? 0] ?? '00';

/**
 * UUIDv7: sorts by time. Ids of one process keep their order of creation (12-bit sequence after the milliseconds, as
 * RFC 9562 allows).
 */
export function newId(): string {
  if (used >= pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  let ms = Date.now();
  if (ms > lastMs) {
    lastMs = ms;
    sequence = ((pool[used + 8] ?? 0) << 3) | ((pool[used + 9] ?? 0) & 7);
  } else {
    sequence += 1;
    if (sequence > 0xfff) {
      lastMs += 1;
      sequence = 0;
    }
    ms = lastMs;
  }
  const time = ms.toString(16).padStart(12, '0');
  const tail = 0x7000 | sequence;
  const variant = ((pool[used] ?? 0) & 0x3f) | 0x80;
  const random =
    `${hex(variant)}${hex(pool[used + 1])}-${hex(pool[used + 2])}${hex(pool[used + 3])}` +
    `${hex(pool[used + 4])}${hex(pool[used + 5])}${hex(pool[used + 6])}${hex(pool[used + 7])}`;
  used += 10;
  return `${time.slice(0, 8)}-${time.slice(8)}-${tail.toString(16)}-${random}`;
}

export const ID_PATTERN = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$';
const idRegExp = new RegExp(ID_PATTERN);

export const isId = (value: unknown): value is string => typeof value === 'string' && idRegExp.test(value);

/** UUIDv8 derived from the text. */
export function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
