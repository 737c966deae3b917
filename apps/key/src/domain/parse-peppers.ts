export interface Pepper {
  version: number;
  secret: Buffer;
}

const ENTRY = /^(\d{1,4}):([A-Za-z0-9+/_-]+={0,2})$/;
const MIN_BYTES = 32;

/**
 * Reads `2:<base64>,1:<base64>`. New digests use the first entry; every entry verifies. A new pepper is therefore
 * known to all replicas, in a later position, before one of them uses it. Null when the text is no such list.
 */
export function readPeppers(text: string): Pepper[] | null {
  const peppers: Pepper[] = [];
  for (const part of text.split(',')) {
    const [, version, secret] = ENTRY.exec(part.trim()) ?? [];
    if (version === undefined || secret === undefined) return null;
    const bytes = Buffer.from(secret, 'base64');
    if (bytes.length < MIN_BYTES) return null;
    peppers.push({ version: Number(version), secret: bytes });
  }
  if (new Set(peppers.map((pepper) => pepper.version)).size !== peppers.length) return null;
  return peppers;
}
