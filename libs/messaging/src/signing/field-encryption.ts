import { createCipheriv, createDecipheriv } from 'node:crypto';
import { invalidSignature } from './invalid-signature';
import type { SharedServiceKeys } from './shared-keys-by-service';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Same form as the process in a signature. */
const PROCESS = /^[\w-]{22}$/;
const MAX_COUNT = 2 ** 48;

/** The context that a box is bound to. */
export interface BoxContext {
  /** Subject of the call. */
  subject: string;
  /** Id of the request's envelope. */
  requestId: string;
  direction: 'request' | 'reply' | 'fingerprint';
}

const boundTo = (sender: string, receiver: string, { subject, requestId, direction }: BoxContext): Buffer =>
  Buffer.from(`${sender}\n${receiver}\n${direction}\n${subject}\n${requestId}`);

const nonceOf = (count: number): Buffer => {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUIntBE(count, NONCE_BYTES - 6, 6);
  return nonce;
};

/**
 * Encrypts data for one service. The key comes from X25519 between sender and receiver, derived once for each sending
 * process, whose counter makes nonces unique. A box is bound to its call and request. Its text: process, counter,
 * ciphertext with tag.
 */
export class FieldEncryption {
  private count = 0;

  constructor(
    private readonly service: string,
    private readonly process: string,
    private readonly keys: SharedServiceKeys,
  ) {}

  /** Undefined if the service's key is unknown. */
  seal(receiver: string, context: BoxContext, value: unknown): string | undefined {
    const key = this.keys.to(receiver, this.process);
    if (!key) return undefined;
    this.count += 1;
    const cipher = createCipheriv(ALGORITHM, key.secrets, nonceOf(this.count));
    cipher.setAAD(boundTo(this.service, receiver, context));
    const bytes = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${this.process} ${this.count} ${bytes.toString('base64url')}`;
  }

  /** Throws FORBIDDEN unless this sender made it for us and for this context. */
  open(sender: string, context: BoxContext, text: string): unknown {
    const [process = '', number = '', encoded = ''] = text.split(' ');
    const count = Number(number);
    if (!PROCESS.test(process) || !Number.isSafeInteger(count) || count < 0 || count >= MAX_COUNT)
      throw invalidSignature();
    const bytes = Buffer.from(encoded, 'base64url');
    if (bytes.byteLength < TAG_BYTES) throw invalidSignature();
    const bound = boundTo(sender, this.service, context);
    const plain = this.keys.from(sender, process, (key) => opened(key.secrets, nonceOf(count), bound, bytes));
    if (plain === undefined) throw invalidSignature();
    return JSON.parse(plain) as unknown;
  }
}

function opened(key: Buffer, nonce: Buffer, bound: Buffer, bytes: Buffer): string | undefined {
  const decipher = createDecipheriv(ALGORITHM, key, nonce);
  decipher.setAAD(bound);
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
