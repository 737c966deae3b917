/** The part of a sealer that is used here. */
interface Sealing {
  readonly currentHead: Buffer;
  seal(text: string, context: string): Buffer;
  open(sealed: Buffer, context: string): string;
}

const VERSION = 'v2';
/** Nonce, tag and text in parts of their own: how the first versions wrote it. */
const FIRST_VERSION = 'v1';

export const sealText = (sealer: Sealing, text: string, context: string): string =>
  `${VERSION}.${sealer.seal(text, context).toString('base64url')}`;

export const openText = (sealer: Sealing, sealed: string, context: string): string =>
  sealer.open(bytesOf(sealed), context);

/** How every text begins that the present key has sealed: three bytes are four characters of base64. */
export const currentTextHead = (sealer: Sealing): string => `${VERSION}.${sealer.currentHead.toString('base64url')}`;

function bytesOf(sealed: string): Buffer {
  const [version, ...parts] = sealed.split('.');
  const bytes = parts.map((part) => Buffer.from(part, 'base64url'));
  if (version === VERSION && bytes.length === 1) return Buffer.concat(bytes);
  if (version === FIRST_VERSION && bytes.length === 3) return Buffer.concat([Buffer.of(1), ...bytes]);
  throw new Error('not a sealed secret');
}
