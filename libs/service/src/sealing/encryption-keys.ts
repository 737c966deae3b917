import { createHash } from 'node:crypto';

export interface SealingKey {
  version: number;
  secret: Buffer;
}

const ENTRY = /^(\d{1,5}):(.+)$/;
const BYTES = 32;
const MAX_VERSION = 65_535;

/**
 * Reads DATA_KEY: one key, or several as `2:<base64>,1:<base64>`. The first one seals, all of them open: a new key can
 * be made known to all replicas before the first of them uses it. A key alone has version 1. Null for what is neither.
 */
export function readKeyRing(text: string): [SealingKey, ...SealingKey[]] | null {
  if (!text.includes(':')) return [{ version: 1, secret: keyOf(text) }];
  const keys: SealingKey[] = [];
  for (const part of text.split(',')) {
    const [, version, secret] = ENTRY.exec(part.trim()) ?? [];
    if (version === undefined || secret === undefined || Number(version) > MAX_VERSION) return null;
    keys.push({ version: Number(version), secret: keyOf(secret) });
  }
  if (new Set(keys.map((key) => key.version)).size !== keys.length) return null;
  const [first, ...others] = keys;
  return first ? [first, ...others] : null;
}

/** 32 bytes as hex or base64. A pass phrase is hashed to that size, as the first versions did. */
function keyOf(text: string): Buffer {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, 'hex');
  const decoded = Buffer.from(text, 'base64');
  return decoded.length === BYTES ? decoded : createHash('sha256').update(text).digest();
}
