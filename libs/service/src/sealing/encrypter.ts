import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { readKeyRing, type SealingKey } from './encryption-keys';

const CIPHER = 'aes-256-gcm';
/** Format, version of the key, nonce, tag, text. */
const FORMAT = 2;
const NONCE = 12;
const TAG = 16;
const HEAD = 3;
const DIGEST_KEY = 'switchyard digest';

/**
 * Encrypts what must be stored and read back: AES-256-GCM, bound to the place it belongs to, so that a sealed value
 * copied to another place does not open. Every sealed value names the version of its key.
 */
export class Encrypter {
  private readonly keys: readonly [SealingKey, ...SealingKey[]];

  /** For keyed digests, one for each key of the ring, the present one first. */
  readonly digestKeys: readonly [Buffer, ...Buffer[]];

  constructor(dataKey: string) {
    const keys = readKeyRing(dataKey);
    if (!keys) throw new Error('DATA_KEY must be a key, or look like 2:<base64>,1:<base64>.');
    this.keys = keys;
    const [first, ...others] = keys;
    this.digestKeys = [digestKeyOf(first), ...others.map(digestKeyOf)];
  }

  /** How every value begins that the present key has sealed. */
  get currentHead(): Buffer {
    const head = Buffer.alloc(HEAD);
    head.writeUInt8(FORMAT, 0);
    head.writeUInt16BE(this.keys[0].version, 1);
    return head;
  }

  seal(text: string, context: string): Buffer {
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv(CIPHER, this.keys[0].secret, nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([this.currentHead, nonce, cipher.getAuthTag(), sealed]);
  }

  /** Throws for what was changed, belongs to another place, or needs a key that is gone. */
  open(sealed: Buffer, context: string): string {
    if (sealed[0] === 1) return this.openFirstFormat(sealed, context);
    if (sealed[0] !== FORMAT || sealed.length < HEAD + NONCE + TAG)
      throw new Error(`nothing sealed stands at ${context}`);
    const version = sealed.readUInt16BE(1);
    const key = this.keys.find((each) => each.version === version);
    if (!key) throw new Error(`the key of version ${version}, which sealed ${context}, is not in DATA_KEY`);
    return opened(key.secret, sealed.subarray(HEAD), context);
  }

  isCurrent(sealed: Buffer): boolean {
    return sealed.subarray(0, HEAD).equals(this.currentHead);
  }

  /** Sealed before keys had versions: one of them fits. */
  private openFirstFormat(sealed: Buffer, context: string): string {
    for (const key of this.keys) {
      try {
        return opened(key.secret, sealed.subarray(1), context);
      } catch {
        continue;
      }
    }
    throw new Error(`no key in DATA_KEY opens what stands at ${context}`);
  }
}

const digestKeyOf = ({ secret }: SealingKey): Buffer => Buffer.from(hkdfSync('sha256', secret, '', DIGEST_KEY, 32));

function opened(key: Buffer, sealed: Buffer, context: string): string {
  const nonce = sealed.subarray(0, NONCE);
  const tag = sealed.subarray(NONCE, NONCE + TAG);
  if (tag.length !== TAG) throw new Error(`nothing sealed stands at ${context}`);
  const decipher = createDecipheriv(CIPHER, key, nonce).setAAD(Buffer.from(context)).setAuthTag(tag);
  const text = decipher.update(sealed.subarray(NONCE + TAG), undefined, 'utf8');
  try {
    return text + decipher.final('utf8');
  } catch (error) {
    throw new Error(`what stands at ${context} was changed, belongs elsewhere, or was sealed with another key`, {
      cause: error,
    });
  }
}
