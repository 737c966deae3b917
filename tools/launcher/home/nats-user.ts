import { newEd25519 } from '@switchyard/kernel';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const seedPrefix = 18 << 3;
const userPrefix = 20 << 3;

export interface NatsUser {
  seed: string;
  publicKey: string;
}

/** A new NATS user key in the notation of NATS's tools: base32 of a prefix, the key's 32 bytes and a checksum. */
export function newNatsUser(): NatsUser {
  const { privateKey, publicKey } = newEd25519();
  return {
    seed: notation([seedPrefix | (userPrefix >> 5), (userPrefix & 31) << 3], privateKey),
    publicKey: notation([userPrefix], publicKey),
  };
}

function notation(prefix: number[], key: string): string {
  const body = Buffer.concat([Buffer.from(prefix), Buffer.from(key, 'base64url')]);
  const checksum = Buffer.alloc(2);
  checksum.writeUInt16LE(crc16(body));
  return base32(Buffer.concat([body, checksum]));
}

function base32(bytes: Buffer): string {
  let text = '';
  let leased = 0;
  let bits = 0;
  for (const byte of bytes) {
    leased = (leased << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet.charAt((leased >> bits) & 31);
    }
    leased &= (1 << bits) - 1;
  }
  return bits > 0 ? text + alphabet.charAt((leased << (5 - bits)) & 31) : text;
}

/** CRC-16/XMODEM. */
function crc16(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}
