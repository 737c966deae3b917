/** The part of an encrypter that is used here. */
interface Sealing {
  readonly currentHead: Buffer;
  seal(text: string, context: string): Buffer;
  open(sealed: Buffer, context: string): string;
}

const VERSION = 'v2';

export const sealText = (sealer: Sealing, text: string, context: string): string =>
  `${VERSION}.${sealer.seal(text, context).toString('base64url')}`;

export function openText(sealer: Sealing, sealed: string, context: string): string {
  const [version, bytes = ''] = sealed.split('.');
  if (version !== VERSION) throw new Error(`nothing sealed is stored at ${context}`);
  return sealer.open(Buffer.from(bytes, 'base64url'), context);
}

/** How every text begins that the current key has sealed: three bytes are four characters of base64. */
export const currentTextHead = (sealer: Sealing): string => `${VERSION}.${sealer.currentHead.toString('base64url')}`;
