import { createCipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { invalidSignature } from './invalid-signature';
import { type PairKey, SharedServiceKeys } from './shared-keys-by-service';
import { FieldEncryption } from './field-encryption';
import { shortHmac } from './short-mac';

const CALL_LIFE_MS = 60_000;
const SKEW_MS = 30_000;
const MAC_BYTES = 16;
const NONCE_BYTES = 12;
/** 16 bytes in base64url. */
const PROCESS = /^[\w-]{22}$/;
/** The counter has six bytes of the nonce. */
const MAX_COUNT = 2 ** 48;

interface Claim {
  sender: string;
  receiver: string;
  subject: string;
  expiresAt: number;
  /** Unique within the process. */
  count: number;
}

/** Up to here SHA-256 is faster, as a cipher takes longer to set up. */
const SHORT_BYTES = 4096;

/** The fastest MAC for the length, each with its own key. */
function macOf(key: PairKey, claim: Claim, bytes: Uint8Array): Buffer {
  const { sender, receiver, subject, expiresAt, count } = claim;
  if (bytes.byteLength > SHORT_BYTES) return gmacOf(key.cipher, claim, bytes);
  const head = `${sender}\n${receiver}\n${subject}\n${expiresAt}\n${count}\n`;
  return shortHmac(key.hash, head, bytes).subarray(0, MAC_BYTES);
}

function gmacOf(key: Buffer, { sender, receiver, subject, expiresAt, count }: Claim, bytes: Uint8Array): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUIntBE(count, NONCE_BYTES - 6, 6);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(`${sender}\n${receiver}\n${subject}\n${expiresAt}\n`));
  cipher.setAAD(bytes);
  cipher.final();
  return cipher.getAuthTag();
}

/**
 * Signs messages: these bytes, this subject, these receivers, until this time. Space and identity are in the payload,
 * so they are covered. The text has the sender, its process, a counter, the expiry, and a MAC for each receiver.
 */
export class MessageSigner {
  private readonly keys: SharedServiceKeys;
  private readonly process = randomBytes(16).toString('base64url');
  /** Encrypts secret fields. */
  readonly secrets: FieldEncryption;
  private readonly fingerprintKey: Buffer;
  private count = 0;

  constructor(
    private readonly service: string,
    privateKey: string,
    publicKeys: Readonly<Record<string, string>>,
  ) {
    this.keys = new SharedServiceKeys(service, privateKey, publicKeys);
    this.secrets = new FieldEncryption(service, this.process, this.keys);
    const [used = ''] = privateKey.split(',');
    this.fingerprintKey = Buffer.from(hkdfSync('sha256', used, '', 'switchyard fingerprint', 32));
  }

  /** The same in all processes of this service, and says nothing about the content to anybody without its key. */
  keyedFingerprint(plain: string): string {
    return createHmac('sha256', this.fingerprintKey).update(plain).digest('base64url');
  }

  seal(subject: string, bytes: Uint8Array, receivers: readonly string[], lifeMs = CALL_LIFE_MS): string {
    const sender = this.service;
    const expiresAt = Date.now() + lifeMs;
    this.count += 1;
    const { count } = this;
    let text = `${sender} ${this.process} ${count} ${expiresAt}`;
    for (const receiver of receivers) {
      const key = this.keys.to(receiver, this.process);
      if (!key) continue;
      const mac = macOf(key, { sender, receiver, subject, expiresAt, count }, bytes);
      text += ` ${receiver}:${mac.toString('base64url')}`;
    }
    return text;
  }

  /** The service that signed these bytes for this subject and for us. Throws FORBIDDEN if none did. */
  check(seal: string, subject: string, bytes: Uint8Array): string {
    const receiver = this.service;
    const fields = seal.split(' ');
    const [sender = '', process = ''] = fields;
    const count = Number(fields[2]);
    const expiresAt = Number(fields[3]);
    const own = fields.find((field, at) => at > 3 && field.startsWith(`${receiver}:`));
    const isReadable = Number.isSafeInteger(count) && count >= 0 && count < MAX_COUNT;
    // Keys are cached by this name.
    if (!PROCESS.test(process)) throw invalidSignature();
    if (!own || !isReadable || !(expiresAt + SKEW_MS >= Date.now())) throw invalidSignature();
    const given = Buffer.from(own.slice(receiver.length + 1), 'base64url');
    if (given.byteLength !== MAC_BYTES) throw invalidSignature();
    const claim = { sender, receiver, subject, expiresAt, count };
    const isSigned = this.keys.from(
      sender,
      process,
      (key) => timingSafeEqual(given, macOf(key, claim, bytes)) || undefined,
    );
    if (!isSigned) throw invalidSignature();
    return sender;
  }
}
